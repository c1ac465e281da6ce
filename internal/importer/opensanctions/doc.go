// Package opensanctions reads the entities of OpenSanctions: JSON lines in the
// FollowTheMoney model, whole or as deltas.
//
// Only who is listed for something is taken: entities whose topics say so. Lines
// about addresses, ownership and the like are passed over, and so are sanctions
// that stand in lines of their own: memory does not grow with a file of
// gigabytes. Where they are nested in their entity, as in the file of targets,
// they are read with it.
//
// The data may be used free of charge for non-commercial purposes only; whoever
// imports it is told.
package opensanctions
