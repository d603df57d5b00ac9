/** Formats of the tables that `touchline data export` and a backtest's report write. */
export const TABLE_FORMATS = ['parquet', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
