import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableFormat } from '../../research/table-formats.ts';
import type { Table } from '../../research/tables.ts';
import { tableCsv, tableParquet } from '../../research/tables.ts';
import { tapeTables } from '../../research/tape-tables.ts';
import { eventsUnder } from './tapes.ts';

/** Writes a table as `NAME.FORMAT` into a folder. */
export function writeTable(folder: string, table: Table, format: TableFormat): void {
  const content = format === 'csv' ? tableCsv(table) : tableParquet(table);
  writeFileSync(join(folder, `${table.name}.${format}`), content);
}

/** Exports market data, a folder for each event. Returns the number of events. Rejects with RecordingError for bad data. */
export async function exportTapes(
  data: readonly string[],
  folder: string,
  format: TableFormat,
): Promise<number> {
  let events = 0;
  for await (const { tapes } of (await eventsUnder(data))())
    for (const tape of tapes) {
      const { sport, eventId } = tape.event;
      const ofEvent = join(folder, `${sport}-${eventId}`.replaceAll(/[^\w.-]/g, '_'));
      mkdirSync(ofEvent, { recursive: true });
      for (const table of tapeTables(tape)) writeTable(ofEvent, table, format);
      events++;
    }
  return events;
}
