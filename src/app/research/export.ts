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

/**
 * Exports market data, a folder for each event: two games of the same teams on one day have the same id, and the second folder ends in `-2`.
 * Returns the number of events. Rejects with RecordingError for bad data.
 */
export async function exportTapes(
  data: readonly string[],
  folder: string,
  format: TableFormat,
): Promise<number> {
  const timesNamed = new Map<string, number>();
  let events = 0;
  for await (const { tapes } of (await eventsUnder(data))())
    for (const tape of tapes) {
      const { sport, eventId } = tape.event;
      const name = `${sport}-${eventId}`.replaceAll(/[^\w.-]/g, '_');
      const times = (timesNamed.get(name) ?? 0) + 1;
      timesNamed.set(name, times);
      const ofEvent = join(folder, times === 1 ? name : `${name}-${times}`);
      mkdirSync(ofEvent, { recursive: true });
      for (const table of tapeTables(tape)) writeTable(ofEvent, table, format);
      events++;
    }
  return events;
}
