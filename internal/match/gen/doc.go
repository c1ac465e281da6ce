// Package main makes the tables that internal/match embeds: readings of Han
// characters from the Unihan database, names of legal forms from ISO 20275, how
// common the commonest words are in lists of names, and the weights. The tables are committed;
// this is run when a publisher has a new edition:
//
//	go run ./internal/match/gen han    Unihan_Readings.txt Unihan_Variants.txt > internal/match/roman/han.txt.gz
//	go run ./internal/match/gen forms  elf-codes.csv                           > internal/match/forms_iso.txt
//	go run ./internal/match/gen weights                                        > internal/match/weights.json
//	go run ./internal/match/gen common company NAMES...                        > internal/match/common_company.txt
package main
