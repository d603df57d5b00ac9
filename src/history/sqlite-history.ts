import { DatabaseSync } from 'node:sqlite';
import { HistoryError } from '../domain/errors.ts';
import { reasonOf } from '../lib/reason.ts';
import type { TradingDays } from '../lib/trading-day.ts';
import { FactWriter } from './fact-writer.ts';
import type { History, HistoryReader } from './history.ts';
import { prune, thinSamples } from './pruning.ts';
import * as queries from './queries.ts';
import { migrate, mustBeCurrent } from './schema.ts';

/** In milliseconds. A reader may hold the file for a moment. */
const BUSY_MS = 1000;
/** The path of a history that ends with the process. */
export const IN_MEMORY = ':memory:';

/**
 * Opens a history for the only process that writes it. One SQLite file in WAL mode; after a crash the last transactions may be
 * missing, and the daemon reports their facts again. Throws HistoryError.
 */
export function openHistory(path: string, days: TradingDays): History {
  return opened(path, () => {
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    return closedOnError(db, () => {
      // Nothing depends on the last second, so no write waits for the disk.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      migrate(db);
      return historyOn(db, days);
    });
  });
}

/** Opens a history to read it while a daemon may write it. Throws HistoryError. */
export function readHistory(path: string): HistoryReader {
  return opened(path, () => {
    const db = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
    return closedOnError(db, () => {
      mustBeCurrent(db);
      return readerOf(db);
    });
  });
}

/** Reads and writes a database of the present version. */
function historyOn(db: DatabaseSync, days: TradingDays): History {
  const writer = new FactWriter(db, days);
  const inTransaction = (failure: string, work: () => void): void => {
    try {
      db.exec('BEGIN IMMEDIATE');
      work();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw asHistoryError(error, failure);
    }
  };
  return {
    ...readerOf(db),
    write: (facts) =>
      inTransaction('cannot write the history', () => facts.forEach((fact) => writer.write(fact))),
    prune(beforeDay) {
      inTransaction('cannot delete old history', () => prune(db, beforeDay));
      writer.forgetBefore(beforeDay);
    },
    thinSamples: (beforeMs) => inTransaction('cannot delete old history', () => thinSamples(db, beforeMs)),
  };
}

function readerOf(db: DatabaseSync): HistoryReader {
  queries.addFunctions(db);
  return {
    total: (terms) => reading(() => queries.total(db, terms)),
    byDay: (terms) => reading(() => queries.byDay(db, terms)),
    byEvent: (terms) => reading(() => queries.byEvent(db, terms)),
    byStrategy: (terms) => reading(() => queries.byStrategy(db, terms)),
    fills: (query) => reading(() => queries.fills(db, query)),
    alerts: (query) => reading(() => queries.alerts(db, query)),
    nearMisses: (query) => reading(() => queries.nearMisses(db, query)),
    described: (event) => reading(() => queries.described(db, event)),
    runs: (limit) => reading(() => queries.runs(db, limit)),
    reconciliations: (limit) => reading(() => queries.reconciliations(db, limit)),
    deposits: (limit) => reading(() => queries.deposits(db, limit)),
    samples: (query) => reading(() => queries.samples(db, query)),
    profits: (query) => reading(() => queries.profits(db, query)),
    lastBalance: () => reading(() => queries.lastBalance(db)),
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asHistoryError(error, 'cannot read the history');
  }
}

function opened<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asHistoryError(error, `cannot open the history ${path}`);
  }
}

function closedOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    db.close();
    throw error;
  }
}

const asHistoryError = (error: unknown, what: string): HistoryError =>
  new HistoryError(`${what}: ${reasonOf(error)}`, isOfFact(error) ? { invalidFact: true } : {}, error);

/** SQLite's code for a value that a table refuses. The bits above it give details. */
const SQLITE_CONSTRAINT = 19;

/** Whether a fact is at fault, and not the file: the value of a column is refused, or cannot be bound. */
const isOfFact = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT);
