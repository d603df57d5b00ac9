import { useState } from 'preact/hooks';
import { odds, PAGE } from '../../../../lib/formats.ts';
import type { Direction } from '../../../../domain/selection.ts';
import type { SelectionId } from '../../../../domain/ids.ts';
import { priceOf, type Tick } from '../../../../domain/ladder.ts';
import { post } from '../../../adapters/commands.ts';
import type { Session } from '../../../adapters/session.ts';
import { useSaid } from '../../use-said.ts';
import { type Armed, confirms, isSameQuote, isSameTick } from './armed.ts';

/** What a person does on a ladder by hand. */
export interface Hand {
  /** Whether presses are orders. */
  readonly isOn: boolean;
  toggle(): void;
  readonly stake: string;
  setStake(stake: string): void;
  /** Null if it is no amount. */
  readonly amount: number | null;
  readonly armed: Armed | null;
  /** What the next press does, or what became of the last. */
  readonly said: string;
  /** The first press arms, the second one quotes. `atMs`: when the press was, on the clock of the page's events. */
  pressTick(direction: Direction, tick: Tick, atMs: number): void;
  /** The first press arms, the second one withdraws. */
  pressQuote(id: string, atMs: number): void;
  move(id: string, tick: Tick): void;
  withdraw(id: string): void;
  disarm(): void;
}

const BY = { reason: 'by hand on the ladder', by: 'dashboard' } as const;

/** Quotes of a person on a selection: each takes two presses. `nowMs` is the daemon's clock. */
export function useHand(selection: SelectionId, session: Session, nowMs: number): Hand {
  const [isOn, setOn] = useState(false);
  const [stake, setStake] = useState('10');
  // A place in the workspace gets another selection when another event is chosen: what was armed is not of that one.
  const [held, setHeld] = useState<{ readonly of: SelectionId; readonly armed: Armed } | null>(null);
  const armed = held?.of === selection ? held.armed : null;
  const setArmed = (next: Armed | null): void =>
    setHeld(next === null ? null : { of: selection, armed: next });
  const answered = useSaid(nowMs, selection);
  const typed = Number(stake);
  const amount = stake.trim() !== '' && Number.isFinite(typed) && typed > 0 ? typed : null;
  const send = (path: string, body: object, patience?: object): void => {
    setArmed(null);
    answered.wait('sent …');
    void post(session, path, { ...body, ...BY }, patience).then((answer) =>
      answered.answer(answer.done ? '' : `FAILED: ${answer.why}`),
    );
  };
  const arm = (next: Armed): void => {
    answered.answer('');
    setArmed(next);
  };
  const withdraw = (id: string): void => send('/quote/withdraw', { id }, {});
  return {
    isOn,
    toggle() {
      setArmed(null);
      setOn(!isOn);
    },
    stake,
    setStake,
    amount,
    armed,
    said: armed === null ? answered.text : armedInWords(armed, amount),
    pressTick(direction, tick, atMs) {
      if (amount === null) return;
      if (!confirms(armed, isSameTick(armed, direction, tick), atMs))
        return isSameTick(armed, direction, tick)
          ? undefined
          : arm({ kind: 'quote', direction, tick, sinceMs: atMs });
      send('/quote', { selection, direction, price: priceOf(tick), stakeUsdt: amount });
    },
    pressQuote(id, atMs) {
      if (confirms(armed, isSameQuote(armed, id), atMs)) withdraw(id);
      else if (!isSameQuote(armed, id)) arm({ kind: 'withdraw', id, sinceMs: atMs });
    },
    move: (id, tick) => send('/quote/move', { id, price: priceOf(tick) }),
    withdraw,
    disarm() {
      setArmed(null);
    },
  };
}

const armedInWords = (armed: Armed, amount: number | null): string =>
  armed.kind === 'quote'
    ? `again: ${amount === null ? '' : PAGE.money(amount)} ${armed.direction} at ${odds(priceOf(armed.tick))}`
    : 'again: withdraw it';
