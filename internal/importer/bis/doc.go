// Package bis reads the Denied Persons List of the Bureau of Industry and
// Security of the United States, a text file with tabs.
package bis
