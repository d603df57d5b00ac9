/** The tape of an event as tables, for other programs. */
import { priceOf } from '../domain/ladder.ts';
import type { Table } from './tables.ts';
import { type EventTape, OP } from './tape.ts';

const NAMES = new Map<number, string>(Object.entries(OP).map(([name, op]) => [op, name]));

/** `selections` and `updates`. Stakes are micros; a state has its number as `state` and the bet delay in ms as `bet_delay_ms`. */
export function tapeTables(tape: EventTape): Table[] {
  return [selectionsOf(tape), updatesOf(tape)];
}

function selectionsOf({ event, eventName, startMs, markets, selections }: EventTape): Table {
  const market = (at: number) => markets[at];
  return {
    name: 'selections',
    columns: [
      { name: 'sport', type: 'string', values: selections.map(() => event.sport) },
      { name: 'event_id', type: 'string', values: selections.map(() => event.eventId) },
      { name: 'event', type: 'string', values: selections.map(() => eventName) },
      { name: 'start', type: 'timestamp', values: selections.map(() => startMs) },
      { name: 'market', type: 'string', values: selections.map((it) => market(it.market)?.marketId ?? null) },
      {
        name: 'market_type',
        type: 'string',
        values: selections.map((it) => market(it.market)?.marketType ?? null),
      },
      {
        name: 'commission',
        type: 'double',
        values: selections.map((it) => market(it.market)?.commissionRate ?? null),
      },
      { name: 'outcome', type: 'string', values: selections.map(({ outcome }) => outcome) },
      { name: 'name', type: 'string', values: selections.map(({ name }) => name) },
      { name: 'won', type: 'double', values: selections.map(({ settlement }) => settlement?.won ?? null) },
      { name: 'lost', type: 'double', values: selections.map(({ settlement }) => settlement?.lost ?? null) },
    ],
  };
}

function updatesOf({ updates, selections, markets }: EventTape): Table {
  const { atMs, op, of, tick, micros } = updates;
  const isState = (at: number): boolean => op[at] === OP.state;
  const isLevel = (at: number): boolean => !isState(at) && op[at] !== OP.clear;
  const each = <T>(value: (at: number) => T): T[] => Array.from(op, (_, at) => value(at));
  return {
    name: 'updates',
    columns: [
      { name: 'at', type: 'timestamp', values: [...atMs] },
      { name: 'update', type: 'string', values: each((at) => NAMES.get(op[at] ?? -1) ?? null) },
      { name: 'market', type: 'string', values: each((at) => markets[marketAt(at)]?.marketId ?? null) },
      {
        name: 'outcome',
        type: 'string',
        values: each((at) => (isState(at) ? null : (selections[of[at] ?? -1]?.outcome ?? null))),
      },
      { name: 'price', type: 'double', values: each((at) => (isLevel(at) ? priceOf(tick[at] ?? -1) : null)) },
      {
        name: 'stake_micros',
        type: 'integer',
        values: each((at) => (isLevel(at) ? (micros[at] ?? null) : null)),
      },
      { name: 'state', type: 'integer', values: each((at) => (isState(at) ? (tick[at] ?? null) : null)) },
      {
        name: 'bet_delay_ms',
        type: 'integer',
        values: each((at) => (isState(at) ? (micros[at] ?? null) : null)),
      },
    ],
  };

  function marketAt(at: number): number {
    const place = of[at] ?? -1;
    return isState(at) ? place : (selections[place]?.market ?? -1);
  }
}
