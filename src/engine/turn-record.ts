import { createHash } from 'node:crypto';
import { BoundPassed, foreignJson } from '../lib/foreign-text.ts';
import type { EventName } from '../domain/events.ts';
import { asksForMore, matchingTermsOf, modeOf } from '../domain/orders.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { StreamFrame } from '../domain/stream.ts';
import type { Moment } from '../lib/time.ts';
import type { PlanBasis } from '../orders/targets/reconcile.ts';
import type { Decision, Turn, TurnInput } from './turn.ts';

/** What the exchange would see of a wanted quote. */
type RecordedQuote = Pick<
  QuoteIntent,
  'selectionId' | 'direction' | 'level' | 'tick' | 'stakeMicros' | 'priceKind'
>;

/** The decision of a turn for one event, as far as a replay compares it. */
export interface RecordedDecision {
  readonly event: EventName;
  readonly targets: readonly RecordedQuote[] | null;
  /** The orders that existed at the decision. */
  readonly basis: PlanBasis;
  /** Of owner, targets and plan, see `sumOfDecision`. */
  readonly sum: string;
}

/** Names a frame of the stream, which the recording holds as it arrived on the connection of this number. */
export interface FrameReference extends Moment, Pick<StreamFrame, 'kind' | 'epoch' | 'receivedMonotonicMs'> {}

/** An input as it is recorded. */
export type RecordedInput = TurnInput | FrameReference;

/** Counts up when records of turns change so that an earlier program cannot read them, or later ones those of an earlier. */
export const TURN_FORMAT = 2;

/** A turn with its inputs and decisions. */
export interface TurnRecord {
  readonly turn: Omit<Turn, 'inputs'> & { readonly inputs: readonly RecordedInput[] };
  readonly decided: readonly RecordedDecision[];
}

/** The line of a record differs from what was written. */
export class ChangedRecord extends Error {}

const recordOf = (turn: Turn, decisions: readonly Decision[]): TurnRecord => ({
  turn,
  decided: decisions.map((decision) => ({
    event: decision.event,
    targets: decision.targets === null ? null : decision.targets.map(recordedQuote),
    basis: decision.basis,
    sum: sumOfDecision(decision),
  })),
});

const recordedQuote = ({
  selectionId,
  direction,
  level,
  tick,
  stakeMicros,
  priceKind,
}: QuoteIntent): RecordedQuote => ({
  selectionId,
  direction,
  level,
  tick,
  stakeMicros,
  ...(priceKind && { priceKind }),
});

/** The record with references in the place of the frames that arrived on the stream. */
export const referring = ({ turn, decided }: TurnRecord): TurnRecord => ({
  turn: { ...turn, inputs: turn.inputs.map(referenceOf) },
  decided,
});

function referenceOf(input: RecordedInput): RecordedInput {
  if (input.kind !== 'signal' || input.signal.kind !== 'frame' || input.signal.isAnswer) return input;
  const { monotonicMs, wallMs } = input;
  const { kind, epoch, receivedMonotonicMs } = input.signal;
  return { kind, epoch, receivedMonotonicMs, monotonicMs, wallMs };
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

const quoteText = (quote: QuoteIntent): string => {
  const { selectionId, direction, level, tick, stakeMicros, priceKind, take } = quote;
  const text = `${selectionId} ${direction} ${level} ${tick} ${stakeMicros} ${priceKind ?? ''}`;
  const mode = modeOf(quote);
  if (mode === 'make_and_take' && !asksForMore(quote)) return text;
  return `${text} ${mode} ${take ?? ''} ${JSON.stringify(matchingTermsOf(quote))}`;
};

/** One line of text: a checksum, then the record. */
export function lineOf({ turn: { inputs, ...turn }, decided }: TurnRecord): string {
  const text = `{"turn":{${inside(turn)},"inputs":[${inputs.map(inputText).join(',')}]},"decided":${encoded(decided)}}`;
  return `${sumOf(text)} ${text}`;
}

/** Frames are most of a record, and hold only what JSON can express: without the look at each member they take a fraction of the time. */
const inputText = (input: RecordedInput): string =>
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
