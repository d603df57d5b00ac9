import type { JSX } from 'preact';
import { odds } from '../../../../lib/formats.ts';
import { LAST_TICK, priceOf, type Tick } from '../../../../domain/ladder.ts';
import type { Direction } from '../../../../domain/selection.ts';
import { isSameQuote, isSameTick } from './armed.ts';
import type { Hand } from './hand.ts';

interface HandPillProps {
  /** Of the person's quote. */
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly tick: Tick;
  /** It is not confirmed on the exchange. */
  readonly isWaiting: boolean;
  readonly hand: Hand | null;
}

const DRAGGED = 'text/x-touchline-quote';

/** A quote of a person. By hand it is dragged to another tick, or moved with the arrow keys, and two presses or the key Delete withdraw it. */
export function HandPill({ id, text, title, tick, isWaiting, hand }: HandPillProps): JSX.Element {
  const isArmed = isSameQuote(hand?.armed ?? null, id);
  const at = odds(priceOf(tick));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (hand === null) return;
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    const next = tick + by;
    if (by !== 0 && next >= 0 && next <= LAST_TICK) hand.move(id, next);
    else if (event.key === 'Delete') hand.withdraw(id);
    else return;
    event.preventDefault();
  };
  return (
    <button
      type="button"
      class={`own hand-pill ${isWaiting ? 'unconfirmed' : ''} ${isArmed ? 'armed' : ''}`}
      title={`by hand: ${title}`}
      aria-label={`${isArmed ? 'press again to withdraw' : 'by hand'}: ${text} at ${at}`}
      draggable={hand !== null}
      onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED, id)}
      onClick={({ timeStamp }) => hand?.pressQuote(id, timeStamp)}
      onKeyDown={onKeyDown}
    >
      {isArmed ? '× ?' : `✋${text}`}
    </button>
  );
}

interface PlaceHereProps {
  readonly direction: Direction;
  readonly tick: Tick;
  readonly hand: Hand;
}

/** Where a person may quote: the first press arms, the second one quotes. */
export function PlaceHere({ direction, tick, hand }: PlaceHereProps): JSX.Element {
  const isArmed = isSameTick(hand.armed, direction, tick);
  const at = odds(priceOf(tick));
  return (
    <button
      type="button"
      class={`place-here ${isArmed ? 'armed' : ''}`}
      disabled={hand.amount === null}
      aria-label={`${isArmed ? 'press again to quote' : 'quote'} ${hand.stake} ${direction} at ${at}`}
      onClick={({ timeStamp }) => hand.pressTick(direction, tick, timeStamp)}
    >
      {isArmed ? `${hand.stake} ?` : '+'}
    </button>
  );
}

interface Dropping {
  readonly onDragOver?: (event: DragEvent) => void;
  readonly onDrop?: (event: DragEvent) => void;
}

/** What lets a quote of a person be dropped on a row. */
export const dropping = (hand: Hand | null, tick: Tick): Dropping =>
  hand === null
    ? {}
    : {
        onDragOver: (event) => {
          if (event.dataTransfer?.types.includes(DRAGGED) === true) event.preventDefault();
        },
        onDrop: (event) => {
          const id = event.dataTransfer?.getData(DRAGGED) ?? '';
          event.preventDefault();
          if (id !== '') hand.move(id, tick);
        },
      };
