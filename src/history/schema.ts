import type { DatabaseSync } from 'node:sqlite';
import { HistoryError } from '../domain/errors.ts';

const MARKOUT_SUMS = [1, 10, 60]
  .map((s) => `fills_${s} INTEGER NOT NULL, micros_${s} INTEGER NOT NULL, stake_${s} INTEGER NOT NULL`)
  .join(', ');

/** Step `n` takes a file from version `n` to `n + 1`. A step is never changed once released; new ones are added. */
const STEPS: readonly string[] = [
  `CREATE TABLE fills (
     bet_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, strategy TEXT,
     sport TEXT NOT NULL, event_id TEXT NOT NULL, selection_id TEXT NOT NULL,
     direction TEXT NOT NULL, price REAL NOT NULL, stake INTEGER NOT NULL, role TEXT NOT NULL,
     at_ms INTEGER NOT NULL, day TEXT NOT NULL, fair REAL, voided INTEGER NOT NULL DEFAULT 0,
     mark_1 INTEGER, mark_10 INTEGER, mark_60 INTEGER
   ) STRICT;
   CREATE INDEX fills_by_day ON fills (day);
   CREATE INDEX fills_by_order ON fills (order_id);
   CREATE INDEX fills_by_time ON fills (at_ms);
   CREATE TABLE voids (bet_id INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE results (
     order_id INTEGER PRIMARY KEY, strategy TEXT, sport TEXT NOT NULL, event_id TEXT NOT NULL,
     profit INTEGER NOT NULL, spread INTEGER, move INTEGER, settlement INTEGER, last_fair REAL,
     at_ms INTEGER NOT NULL, day TEXT NOT NULL
   ) STRICT;
   CREATE INDEX results_by_day ON results (day);
   CREATE TABLE events (
     sport TEXT NOT NULL, event_id TEXT NOT NULL, title TEXT NOT NULL, start_ms INTEGER,
     PRIMARY KEY (sport, event_id)
   ) STRICT;
   CREATE TABLE runs (
     run_id TEXT PRIMARY KEY, version TEXT NOT NULL, mode TEXT NOT NULL, start_ms INTEGER NOT NULL,
     seen_ms INTEGER NOT NULL, how TEXT NOT NULL, profit INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE balances (
     at_ms INTEGER PRIMARY KEY, balance INTEGER NOT NULL, open_stake INTEGER NOT NULL, smart_credit INTEGER
   ) STRICT;
   CREATE TABLE reconciliations (
     at_ms INTEGER PRIMARY KEY, since_ms INTEGER, balance INTEGER NOT NULL, change INTEGER NOT NULL,
     settled INTEGER NOT NULL, commission INTEGER NOT NULL, deposits INTEGER NOT NULL, residual INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE deposits (
     id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, amount INTEGER NOT NULL, note TEXT NOT NULL, author TEXT NOT NULL
   ) STRICT;
   CREATE TABLE days (
     day TEXT NOT NULL, strategy TEXT NOT NULL, bets INTEGER NOT NULL, stake INTEGER NOT NULL,
     orders INTEGER NOT NULL, profit INTEGER NOT NULL, spread INTEGER NOT NULL, move INTEGER NOT NULL,
     settlement INTEGER NOT NULL, unattributed INTEGER NOT NULL, winnings INTEGER NOT NULL, ${MARKOUT_SUMS},
     PRIMARY KEY (day, strategy)
   ) STRICT;
   CREATE TABLE pruned (id INTEGER PRIMARY KEY CHECK (id = 1), before_day TEXT NOT NULL) STRICT;
   INSERT INTO pruned VALUES (1, '');`,
  `CREATE TABLE samples (
     at_ms INTEGER PRIMARY KEY, settled INTEGER NOT NULL, expected INTEGER NOT NULL, worst INTEGER NOT NULL,
     gross INTEGER NOT NULL, open_stake INTEGER NOT NULL, orders_open INTEGER NOT NULL, wanted INTEGER NOT NULL,
     quoted INTEGER NOT NULL, two_sided INTEGER NOT NULL
   ) STRICT;`,
  // What the price of a fill is; null for the price of the selection itself.
  `ALTER TABLE fills ADD COLUMN price_kind TEXT;`,
  // The teams of an event as JSON, which name its selections. Only the title is known of an earlier event.
  `CREATE TABLE IF NOT EXISTS event_teams (
     sport TEXT NOT NULL, event_id TEXT NOT NULL, who TEXT NOT NULL, PRIMARY KEY (sport, event_id)
   ) STRICT;`,
  // The fills of a paper run under every fill model. Those of its account are in the table of fills, too.
  `CREATE TABLE paper_fills (
     bet_id INTEGER PRIMARY KEY, model TEXT NOT NULL, order_id INTEGER NOT NULL, sport TEXT NOT NULL,
     event_id TEXT NOT NULL, selection_id TEXT NOT NULL, direction TEXT NOT NULL, price_kind TEXT, price REAL NOT NULL,
     stake INTEGER NOT NULL, cause TEXT NOT NULL, at_ms INTEGER NOT NULL, day TEXT NOT NULL
   ) STRICT;
   CREATE INDEX paper_fills_by_order ON paper_fills (order_id);
   CREATE INDEX paper_fills_by_day ON paper_fills (day);`,
  `CREATE TABLE alerts (
     at_ms INTEGER NOT NULL, kind TEXT NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
     until_ms INTEGER, PRIMARY KEY (at_ms, kind)
   ) STRICT;`,
  `CREATE TABLE profits (
     at_ms INTEGER NOT NULL, of TEXT NOT NULL, name TEXT NOT NULL, profit INTEGER NOT NULL, PRIMARY KEY (at_ms, of, name)
   ) STRICT, WITHOUT ROWID;`,
];

const versionOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Brings a file to this program's version. Throws HistoryError if it is of a newer one, or no history. */
export function migrate(db: DatabaseSync): void {
  mustBeOurs(db);
  for (let version = versionOf(db); version < STEPS.length; version++) {
    db.exec(`BEGIN IMMEDIATE; ${STEPS[version]} PRAGMA user_version = ${version + 1}; COMMIT`);
  }
}

/** For readers. Throws HistoryError if the file is of another version, or no history. */
export function mustBeCurrent(db: DatabaseSync): void {
  mustBeOurs(db);
  if (versionOf(db) === STEPS.length) return;
  throw new HistoryError('the history is empty or of an earlier version: start the daemon on it first');
}

function mustBeOurs(db: DatabaseSync): void {
  const names = db.prepare('SELECT name FROM sqlite_schema').all();
  const found = versionOf(db);
  if (found > STEPS.length)
    throw new HistoryError('the history was written by a newer version', { found, known: STEPS.length });
  const isOurs = found > 0 && names.some(({ name }) => name === 'reconciliations');
  if (names.length > 0 && !isOurs) throw new HistoryError('the file is another database, not a history');
}
