/** Results that a person gives for recordings without. */
import { parse } from 'csv-parse/sync';
import { payloadJson } from '../../recording/payload-json.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import { RecordingError } from '../../domain/errors.ts';
import { PUSH, type Settlement } from '../../domain/payoff.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { EventTape } from '../tape.ts';

/** The result of an event. */
export interface GivenResult {
  readonly sport: string;
  readonly eventId: string;
  /** Null: every bet is void. */
  readonly score: GivenScore | null;
}

export interface GivenScore {
  readonly home: number;
  readonly away: number;
  /** Null: it is not known, so that bets on the half stay open. */
  readonly halfTime: readonly [home: number, away: number] | null;
}

/** A row with the line of the file at which it stands. */
export interface ResultRow extends GivenResult {
  readonly line: number;
}

const COLUMNS = ['sport', 'event_id', 'score', 'half_time'];
const REQUIRED = ['event_id', 'score'];
const SHOWN_FAULTS = 5;

/**
 * Reads a CSV of results: `event_id`, `score` (`2-1`, or `void`), and, if they are there, `sport` (else `fb`) and `half_time`. Throws
 * RecordingError with the lines that are wrong.
 */
export function parseResults(csv: string): ResultRow[] {
  const [names, ...records] = recordsOf(csv);
  if (names === undefined) throw wrong(['there is no line of column names']);
  const unknown = names.cells.filter((name) => !COLUMNS.includes(name));
  const missing = REQUIRED.filter((name) => !names.cells.includes(name));
  if (unknown.length > 0)
    throw wrong([`line 1: unknown columns ${unknown.join(', ')}; known are ${COLUMNS.join(', ')}`]);
  if (missing.length > 0) throw wrong([`line 1: the columns ${missing.join(', ')} are missing`]);
  const faults: string[] = [];
  const rows = records.flatMap(({ line, cells }) => {
    const row = rowOf(
      line,
      Object.fromEntries(names.cells.map((name, at) => [name, cells[at]?.trim() ?? ''])),
    );
    if (typeof row === 'string') faults.push(`line ${line}: ${row}`);
    return typeof row === 'string' ? [] : [row];
  });
  if (faults.length > 0) throw wrong(faults);
  return rows;
}

/** An error that names the first faults. */
export function wrong(faults: readonly string[]): RecordingError {
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : [];
  return new RecordingError([...faults.slice(0, SHOWN_FAULTS), ...more].join('; '), {});
}

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

function recordsOf(csv: string): CsvRecord[] {
  const lines: number[] = [];
  try {
    const records = parse(csv, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(record: string[], context) {
        lines.push(context.lines);
        return record;
      },
    });
    return records.map((cells, at) => ({ line: lines[at] ?? 0, cells }));
  } catch (error) {
    throw wrong([reasonOf(error)]);
  }
}

function rowOf(line: number, cells: Readonly<Record<string, string>>): ResultRow | string {
  const { sport = '', event_id: eventId = '', score = '', half_time: half = '' } = cells;
  if (eventId === '') return 'event_id is missing';
  const head = { line, sport: sport === '' ? 'fb' : sport, eventId };
  if (score === 'void') return { ...head, score: null };
  const [full, halfTime] = [pairOf(score), half === '' ? null : pairOf(half)];
  if (full === null) return `score: ${JSON.stringify(score)} is neither a score such as 2-1 nor void`;
  if (half !== '' && halfTime === null)
    return `half_time: ${JSON.stringify(half)} is not a score such as 1-0`;
  return { ...head, score: { home: full[0], away: full[1], halfTime } };
}

function pairOf(text: string): readonly [number, number] | null {
  const score = /^(\d{1,3}) ?[-:] ?(\d{1,3})$/.exec(text);
  return score === null ? null : [Number(score[1]), Number(score[2])];
}

/** The tape with the selections settled that have no settlement yet. A half goes by the result of its match. */
export function settledBy(tape: EventTape, results: ReadonlyMap<string, GivenResult>): EventTape {
  const { sport, eventId } = tape.event;
  const given =
    results.get(keyOf(sport, eventId)) ?? (sport === 'fb_ht' ? results.get(keyOf('fb', eventId)) : undefined);
  if (given === undefined) return tape;
  return {
    ...tape,
    selections: tape.selections.map((selection) => ({
      ...selection,
      settlement: selection.settlement ?? settlementOf(sport, selection.outcome, given.score),
    })),
  };
}

export const keyOf = (sport: string, eventId: string): string => `${sport}|${eventId}`;

function settlementOf(sport: string, outcome: string, score: GivenScore | null): Settlement | null {
  if (score === null) return PUSH;
  const { home, away, halfTime } = score;
  if (sport === 'fb_ht' && halfTime === null) return null;
  const [halfTimeHome, halfTimeAway] = halfTime ?? [0, 0];
  const result: EventResult = { kind: 'score', home, away, halfTimeHome, halfTimeAway };
  return parseBetType(sport, `for,${outcome}`)?.settle(result) ?? null;
}

/** The payload of a `result` record, and its reading. */
export const resultPayload = ({ sport, eventId, score }: GivenResult): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      sport,
      event_id: eventId,
      result: score && {
        kind: 'score',
        home: score.home,
        away: score.away,
        half_time_home: score.halfTime?.[0] ?? null,
        half_time_away: score.halfTime?.[1] ?? null,
      },
    }),
  );

interface StoredResult {
  readonly sport?: unknown;
  readonly event_id?: unknown;
  readonly result?: {
    readonly kind?: unknown;
    readonly home?: unknown;
    readonly away?: unknown;
    readonly half_time_home?: unknown;
    readonly half_time_away?: unknown;
  } | null;
}

/** Null for a result of another kind, such as places. */
export function resultIn(payload: Uint8Array): GivenResult | null {
  const { sport, event_id: eventId, result } = payloadJson(payload) as StoredResult;
  if (typeof sport !== 'string' || typeof eventId !== 'string') return null;
  if (result === null) return { sport, eventId, score: null };
  const { home, away, half_time_home: halfHome, half_time_away: halfAway } = result ?? {};
  if (typeof home !== 'number' || typeof away !== 'number') return null;
  const halfTime =
    typeof halfHome === 'number' && typeof halfAway === 'number' ? ([halfHome, halfAway] as const) : null;
  return { sport, eventId, score: { home, away, halfTime } };
}
