// Package proof shows that nothing is lost.
//
// It holds no code of the service, only tests of several rooms at once. The
// simulation runs the way of a change (register, evaluation, event, delivery,
// endpoint) on several nodes, on a clock of its own and with everything going
// wrong that can: calls that fail or are cut off, answers that are lost, nodes
// that are killed or stand still, clocks that jump, wake-ups that never come.
// What happens is drawn from a seed, so that a failure can be seen again. Bugs
// that were planted on purpose show that it would notice.
//
// Another, much simpler one plays the capacity plan of docs/scaling.md: queues
// before logs, and how busy machines are.
package proof
