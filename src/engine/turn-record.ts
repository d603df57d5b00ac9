import { createHash } from 'node:crypto';
import { BoundPassed, foreignJson } from '../lib/foreign-text.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { PlanBasis } from '../orders/targets/reconcile.ts';
import type { OldInput } from './old-calls.ts';
import type { Decision, Turn, TurnInput } from './turn.ts';

/** The decision of a turn for one event, as far as a replay compares it. */
export interface RecordedDecision {
  readonly event: EventName;
  /** The quoted selections of the event. */
  readonly selections: readonly SelectionId[];
  readonly targets: readonly QuoteIntent[] | null;
  /** The orders that existed at the decision. */
  readonly basis: PlanBasis;
  /** Of owner, targets and plan, see `sumOfDecision`. */
  readonly sum: string;
}

/** A turn with its inputs and decisions. */
export interface TurnRecord {
  readonly turn: Omit<Turn, 'inputs'> & { readonly inputs: readonly (TurnInput | OldInput)[] };
  readonly decided: readonly (RecordedDecision | OldDecision)[];
}

/** The line of a record differs from what was written. */
export class ChangedRecord extends Error {}

const recordOf = (turn: Turn, decisions: readonly Decision[]): TurnRecord => ({
  turn,
  decided: decisions.map((decision) => ({
    event: decision.event,
    selections: decision.selections,
    targets: decision.targets,
    basis: decision.basis,
    sum: sumOfDecision(decision),
  })),
});

/** Of a decision of an earlier format, `digest` stands in the place of `sum`. */
export interface OldDecision extends Omit<RecordedDecision, 'sum'> {
  readonly digest: string;
}

/** The parts of a decision that a replay must reproduce. */
type Decided = Pick<Decision, 'owner' | 'targets' | 'plan'>;

/** Covers what the exchange would see of a decision: quotes in ticks and micros, orders by their ids, and what waits for which reason. */
export function sumOfDecision({ owner, targets, plan }: Decided): string {
  const quotes = (list: readonly QuoteIntent[] | undefined): string => (list ?? []).map(quoteText).join();
  const waiting = plan?.waiting.map(
    ({ intent, code, detail }) => `${quoteText(intent)} ${code} ${detail ?? ''}`,
  );
  const parts = [owner, targets && quotes(targets), plan && 'plan', plan?.close.join(), waiting?.join()];
  return sumOf([...parts, quotes(plan?.place.map(({ intent }) => intent))].join('\n'));
}

const quoteText = ({ selectionId, direction, level, tick, stakeMicros, priceKind }: QuoteIntent): string =>
  `${selectionId} ${direction} ${level} ${tick} ${stakeMicros} ${priceKind ?? ''}`;

/** Whether a decision is the recorded one. */
export function isSame(decision: Omit<Decision, 'turn'>, recorded: RecordedDecision | OldDecision): boolean {
  if ('sum' in recorded) return sumOfDecision(decision) === recorded.sum;
  const { owner, view, intents, admission, plan } = decision;
  return sumOf(encoded({ owner, view, intents, admission, plan })) === recorded.digest;
}

/** One line of text: a checksum, then the record. */
export function lineOf({ turn: { inputs, ...turn }, decided }: TurnRecord): string {
  const text = `{"turn":{${inside(turn)},"inputs":[${inputs.map(inputText).join(',')}]},"decided":${encoded(decided)}}`;
  return `${sumOf(text)} ${text}`;
}

/** Frames are most of a record, and hold only what JSON can express: without the look at each member they take a fraction of the time. */
const inputText = (input: TurnRecord['turn']['inputs'][number]): string =>
  input.kind === 'signal' && input.signal.kind === 'frame' ? JSON.stringify(input) : encoded(input);

/** The members of an object that has some, as text. */
const inside = (value: object): string => encoded(value).slice(1, -1);

/** Throws ChangedRecord if the line differs from what `lineOf` wrote. */
export function recordIn(line: string): TurnRecord {
  const at = line.indexOf(' ');
  const text = line.slice(at + 1);
  if (sumOf(text) !== line.slice(0, at)) throw new ChangedRecord('the sum of the record is another one');
  try {
    return foreignJson(text, revived) as TurnRecord;
  } catch (error) {
    throw error instanceof BoundPassed ? new ChangedRecord(error.message) : error;
  }
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A value that JSON cannot express is written as an object with this one member. */
const MARK = '$';

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', NaN],
  ['undefined', undefined],
]);

const encoded = (value: object): string =>
  JSON.stringify(value, function (this: unknown, _, member: unknown) {
    if (member instanceof Map || member instanceof Set)
      return { [MARK]: [member instanceof Map ? 'Map' : 'Set', ...member] };
    const isWord =
      (typeof member === 'number' && !Number.isFinite(member)) ||
      (member === undefined && Array.isArray(this));
    return isWord ? { [MARK]: String(member) } : member;
  });

function revived(_: string, member: unknown): unknown {
  if (typeof member !== 'object' || member === null || !(MARK in member)) return member;
  const marked: unknown = member[MARK];
  if (!Array.isArray(marked)) return WORDS.get(String(marked));
  const [kind, ...entries] = marked as readonly unknown[];
  return kind === 'Map' ? new Map(entries as [unknown, unknown][]) : new Set(entries);
}

/** Joins each turn with its decisions, whichever of the two arrives first. */
export class TurnRecorder {
  readonly #write: (record: TurnRecord) => void;
  #turn: Turn | null = null;
  #decisions: Decision[] = [];

  constructor(write: (record: TurnRecord) => void) {
    this.#write = write;
  }

  onTurn(turn: Turn): void {
    if (this.#turn !== null && turn.seq <= this.#turn.seq) return;
    this.end();
    this.#turn = turn;
  }

  onDecision(decision: Decision): void {
    this.onTurn(decision.turn);
    this.#decisions.push(decision);
  }

  /** Writes the last turn. */
  end(): void {
    if (this.#turn !== null) this.#write(recordOf(this.#turn, this.#decisions));
    [this.#turn, this.#decisions] = [null, []];
  }
}
