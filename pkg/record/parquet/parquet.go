// Package parquet reads and writes Parquet datasets.
package parquet
