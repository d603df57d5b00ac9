import { type Armed, happens } from './timeline.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';
import { coversEntry } from './targets.ts';

type Payload = Readonly<Record<string, unknown>>;
type Entry = readonly [tag: string, payload: unknown];

interface Frame {
  readonly ts: unknown;
  readonly data: readonly Entry[];
}

/** A frame to send, `afterMs` from now. */
export interface FrameStep {
  readonly text: string;
  readonly afterMs: number;
}

/** The fate of one entry: its copies, their delay, and whether they are held until after the next frame. */
interface EntryPlan {
  readonly copies: readonly Entry[];
  readonly afterMs: number;
  readonly held: boolean;
}

type Effect<K extends FaultKind> = (plan: EntryPlan, armed: Armed<FaultOf<K>>) => EntryPlan;
type Effects = { readonly [K in FaultKind]?: Effect<K> };

const change = (plan: EntryPlan, to: (payload: unknown) => unknown): EntryPlan => ({
  ...plan,
  copies: plan.copies.map(([tag, payload]) => [tag, to(payload)]),
});

const gone = (plan: EntryPlan): EntryPlan => ({ ...plan, copies: [] });

const EFFECTS: Effects = {
  missing: gone,
  quote_never: gone,
  duplicate: (plan) => ({ ...plan, copies: [...plan.copies, ...plan.copies] }),
  reorder: (plan) => ({ ...plan, held: true }),
  late_entry: (plan, { fault }) => ({ ...plan, afterMs: plan.afterMs + fault.delay_ms }),
  numbers_as_strings: (plan) => change(plan, numbersAsStrings),
  not_numbers: (plan, { reached }) => change(plan, (payload) => pricesNotNumbers(payload, reached - 1)),
};

/** Whether a fault affects stream entries. */
export function isEntryFault(fault: Fault): boolean {
  return fault.fault in EFFECTS || fault.fault === 'quote_freezes';
}

/** The first prices of each betslip, which a frozen quote keeps showing. */
export class FrozenQuotes {
  readonly #first = new Map<string, { price_list: unknown; total: unknown }>();

  freeze(betslip: Payload): object {
    const id = String(betslip['betslip_id']);
    const first = this.#first.get(id);
    if (first !== undefined) return { ...betslip, ...first };
    const { price_list, total } = betslip;
    if (Array.isArray(price_list) && price_list.length > 0) this.#first.set(id, { price_list, total });
    return betslip;
  }
}

/** Applies entry faults to the frames of all connections. Frames without a batch pass as they are. */
export class EntryFaults {
  readonly #frozen: FrozenQuotes;
  readonly #held = new Map<number, readonly Entry[]>();

  constructor(frozen: FrozenQuotes) {
    this.#frozen = frozen;
  }

  /** Returns the frames to send in place of this one on this connection. */
  apply(armed: readonly Armed[], connection: number, text: string, nowMs: number): readonly FrameStep[] {
    const frame = parseFrame(text);
    if (frame === null) return [{ text, afterMs: 0 }];
    const plans = frame.data.map((entry) => this.#plan(armed, entry, nowMs));
    const now = plans.filter(({ afterMs, held }) => afterMs === 0 && !held).flatMap(({ copies }) => copies);
    const before = this.#held.get(connection) ?? [];
    this.#held.set(
      connection,
      plans.filter(({ held }) => held).flatMap(({ copies }) => copies),
    );
    const late = plans.filter(({ afterMs, held }) => afterMs > 0 && !held);
    return [
      ...step(frame.ts, [...now, ...before], 0),
      ...late.flatMap(({ copies, afterMs }) => step(frame.ts, copies, afterMs)),
    ];
  }

  /** Whether held entries wait for the connection's next frame. */
  holds(connection: number): boolean {
    return (this.#held.get(connection)?.length ?? 0) > 0;
  }

  forget(connection: number): void {
    this.#held.delete(connection);
  }

  #plan(armed: readonly Armed[], entry: Entry, nowMs: number): EntryPlan {
    const plan: EntryPlan = { copies: [entry], afterMs: 0, held: false };
    return armed.reduce((before, one) => this.#worsen(before, one, entry[0], nowMs), plan);
  }

  #worsen(plan: EntryPlan, armed: Armed, tag: string, nowMs: number): EntryPlan {
    if (!covers(armed.fault, tag) || !happens(armed, nowMs)) return plan;
    if (armed.fault.fault === 'quote_freezes') {
      return change(plan, (payload) => this.#frozen.freeze(payload as Payload));
    }
    const effect = EFFECTS[armed.fault.fault] as Effect<FaultKind> | undefined;
    return effect?.(plan, armed) ?? plan;
  }
}

function covers({ target }: Fault, tag: string): boolean {
  return target === 'betslips' ? tag === 'pmm' : coversEntry(target, tag);
}

function step(ts: unknown, data: readonly Entry[], afterMs: number): readonly FrameStep[] {
  return data.length === 0 ? [] : [{ text: stringifyRaw({ ts, data }), afterMs }];
}

function parseFrame(text: string): Frame | null {
  try {
    const frame = JSON.parse(text) as Frame;
    return Array.isArray(frame.data) ? frame : null;
  } catch {
    return null;
  }
}

/** Marks JSON text that `JSON.stringify` would not write (`1e999`); see `stringifyRaw`. */
const RAW = '\u0001raw:';

/** Values in place of a number. All are valid JSON. */
const NOT_NUMBERS: readonly unknown[] = ['NaN', null, `${RAW}1e999`, -1, 0, '1.5x', {}, [], true];

const isPrice = (key: string): boolean => key === 'price' || key.endsWith('_price');

/** Turns every number into a string. */
function numbersAsStrings(value: unknown): unknown {
  return mapNumbers(value, (number) => String(number));
}

/** Replaces every price by a value that is not a usable number; `turn` chooses the value. */
function pricesNotNumbers(value: unknown, turn: number): unknown {
  const wrong = NOT_NUMBERS[turn % NOT_NUMBERS.length];
  return mapNumbers(value, (number, key) => (isPrice(key) ? wrong : number));
}

function mapNumbers(value: unknown, replace: (number: number, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'number') return replace(value, key);
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, replace, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapNumbers(item, replace, name)]),
  );
}

/** Like `JSON.stringify`, but writes raw values as they are. */
function stringifyRaw(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0001raw:([^"]*)"/g, '$1');
}
