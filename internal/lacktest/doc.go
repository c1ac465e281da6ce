// Package lacktest leaves tests out where a machine lacks what they need.
package lacktest
