import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../lib/time.ts';
import { SUM_COLUMNS, sumsOfDay } from './queries.ts';
import { textIn, textOrNull } from './rows.ts';

/** Fills of unsettled orders stay so many days longer: the winner of a season is settled after up to a year. */
const UNSETTLED_STAY_DAYS = 366;

/** The distance of old samples. */
const THINNED_MS = 300_000;

const GOING = `day < :before AND (day < :older OR order_id IN (SELECT order_id FROM results WHERE day < :before))`;

/**
 * Deletes the details of the days before one, and adds to the sums of each day what its details no longer give: no sum of a day
 * changes. Call within a transaction.
 */
export function prune(db: DatabaseSync, beforeDay: string): void {
  const beforeMs = Date.parse(beforeDay);
  const older = new Date(beforeMs - UNSETTLED_STAY_DAYS * DAY_MS).toISOString().slice(0, 10);
  const days = db
    .prepare(`SELECT day FROM fills WHERE ${GOING} UNION SELECT day FROM results WHERE day < :before`)
    .all({ before: beforeDay, older })
    .map((row) => textIn(row, 'day'));
  const before = new Map(days.map((day) => [day, byStrategy(db, day)]));
  // The results come last, because they tell which fills may go.
  db.prepare(`DELETE FROM fills WHERE ${GOING}`).run({ before: beforeDay, older });
  db.prepare('DELETE FROM results WHERE day < ?').run(beforeDay);
  for (const [day, sums] of before) keepDifference(db, day, sums);
  db.prepare('DELETE FROM paper_fills WHERE day < ?').run(beforeDay);
  db.prepare('DELETE FROM balances WHERE at_ms < ?').run(beforeMs);
  db.prepare('DELETE FROM samples WHERE at_ms < ?').run(beforeMs);
  db.prepare('DELETE FROM profits WHERE at_ms < ?').run(beforeMs);
  db.prepare('DELETE FROM alerts WHERE at_ms < ?').run(beforeMs);
  for (const table of ['events', 'event_teams'])
    db.exec(
      `DELETE FROM ${table} WHERE NOT EXISTS (
         SELECT 1 FROM fills WHERE fills.sport = ${table}.sport AND fills.event_id = ${table}.event_id)
       AND NOT EXISTS (
         SELECT 1 FROM paper_fills p WHERE p.sport = ${table}.sport AND p.event_id = ${table}.event_id)`,
    );
  db.prepare('UPDATE pruned SET before_day = max(before_day, ?)').run(beforeDay);
}

/** Of samples before an instant, and of each profit's readings, one in five minutes stays. Call within a transaction. */
export function thinSamples(db: DatabaseSync, beforeMs: number): void {
  db.prepare(
    `DELETE FROM samples WHERE at_ms < ? AND at_ms NOT IN (
       SELECT MIN(at_ms) FROM samples GROUP BY at_ms / CAST(? AS INTEGER))`,
  ).run(Math.round(beforeMs), THINNED_MS);
  // The last one: what is over is not read again.
  db.prepare(
    `DELETE FROM profits WHERE at_ms < ? AND (at_ms, of, name) NOT IN (
       SELECT MAX(at_ms), of, name FROM profits GROUP BY of, name, at_ms / CAST(? AS INTEGER))`,
  ).run(Math.round(beforeMs), THINNED_MS);
}

type Sums = ReadonlyMap<string, number>;

const byStrategy = (db: DatabaseSync, day: string): ReadonlyMap<string, Sums> =>
  new Map(sumsOfDay(db, day).map(({ key, sums }) => [textOrNull(key, 'strategy') ?? '', sums]));

function keepDifference(db: DatabaseSync, day: string, before: ReadonlyMap<string, Sums>): void {
  const after = byStrategy(db, day);
  const added = SUM_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
  const insert = db.prepare(
    `INSERT INTO days (day, strategy, ${SUM_COLUMNS.join(', ')})
     VALUES (?, ?, ${SUM_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT (day, strategy) DO UPDATE SET ${added}`,
  );
  for (const [strategy, sums] of before) {
    const left = after.get(strategy);
    insert.run(
      day,
      strategy,
      ...SUM_COLUMNS.map((column) => (sums.get(column) ?? 0) - (left?.get(column) ?? 0)),
    );
  }
}
