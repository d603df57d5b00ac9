import type { JSX } from 'preact';
import { exactOdds, odds, PAGE, shortAge } from '../../../../lib/formats.ts';
import type { Direction } from '../../../../domain/selection.ts';
import type { Level, LiveFill, LiveQuote, LiveSelection } from '../../../../read-model/live/message.ts';
import { reasonInWords } from '../../../../read-model/reason-words.ts';
import { fillsOf, type View } from '../../stream/view.ts';
import { ownInWords } from '../../words.ts';
import type { Hand } from './hand.ts';
import { dropping, HandPill, PlaceHere } from './hand-pills.tsx';
import { closedAt, isPosition } from './close-out.ts';
import { nearestTick, type Rung, rowsDown, rungsOf, type Span } from '../../../../read-model/live/rungs.ts';

interface RowsProps {
  readonly selection: LiveSelection;
  readonly view: View;
  readonly atMs: number;
  readonly commissionRate: number;
  readonly span: Span;
  readonly onAsk: () => void;
  /** What a person does here by hand; null while no press is an order. */
  readonly hand: Hand | null;
}

const FILLS_SHOWN = 8;

/** Every tick of a span. Our orders are on the outside, what others offer beside the price. A press anywhere explains, unless a person quotes here by hand. */
export function Rows({ selection, commissionRate, view, span, atMs, onAsk, hand }: RowsProps): JSX.Element {
  const rungs = rungsOf(selection, span);
  const most = Math.max(1, ...rungs.flatMap(({ toBack, toLay }) => [stakeOf(toBack), stakeOf(toLay)]));
  const fills = fillsOf(view)
    .filter(({ selectionId }) => selectionId === selection.id)
    .slice(0, FILLS_SHOWN);
  const isHeld = isPosition(selection);
  return (
    <table class={isHeld ? 'held' : ''}>
      <thead>
        <tr>
          <th scope="col" class="column-own">
            <SideLight selection={selection} direction="against" /> against
          </th>
          <th scope="col" class="column-depth">
            back
          </th>
          <th scope="col" class="column-tick">
            price
          </th>
          <th scope="col" class="column-depth">
            lay
          </th>
          <th scope="col" class="column-own">
            for <SideLight selection={selection} direction="for" />
          </th>
          {isHeld ? (
            <th scope="col" class="column-closed" title="What the bets pay if they are closed at this price">
              closed
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody onClick={hand === null ? onAsk : undefined}>
        {rungs.map((rung, at) => (
          <Row
            key={at}
            rung={rung}
            most={most}
            pays={closedAt(selection, rung.price, commissionRate)}
            fills={fills.filter((fill) => nearestTick(fill.price) === rung.tick)}
            isLast={fills[0] !== undefined && nearestTick(fills[0].price) === rung.tick}
            atMs={atMs}
            hand={hand}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SideLightProps {
  readonly selection: LiveSelection;
  readonly direction: Direction;
}

/** Whether a side is quoted. Its form tells as much as its colour. */
function SideLight({ selection: { quotes, missing }, direction }: SideLightProps): JSX.Element {
  const own = quotes.filter((quote) => quote.direction === direction);
  const isQuoted = own.some(({ isConfirmed }) => isConfirmed);
  const why = missing === null ? '' : `: ${reasonInWords(missing)}`;
  const meaning = isQuoted
    ? `quoted ${direction}`
    : own.length > 0
      ? `not confirmed ${direction}`
      : `not quoted ${direction}${why}`;
  const tone = isQuoted ? 'good' : own.length > 0 ? 'warn' : 'bad';
  return (
    <span class={`light tone-${tone}`} role="img" aria-label={meaning} title={meaning}>
      {isQuoted ? '●' : own.length > 0 ? '◐' : '○'}
    </span>
  );
}

interface RowProps {
  readonly rung: Rung;
  /** The largest stake of the ladder: its bar is as wide as the cell. */
  readonly most: number;
  /** What the position pays, whatever the outcome, if it is closed at this price; null without one. */
  readonly pays: number | null;
  readonly fills: readonly LiveFill[];
  /** Whether our last fill was here. */
  readonly isLast: boolean;
  readonly atMs: number;
  readonly hand: Hand | null;
}

const Row = ({ rung, most, pays, fills, isLast, atMs, hand }: RowProps): JSX.Element => (
  <tr {...dropping(hand, rung.tick)}>
    <td class="ours-against">
      <OwnCell rung={rung} direction="against" atMs={atMs} hand={hand} />
    </td>
    <Depth side="back" levels={rung.toBack} most={most} />
    <th scope="row" class={isLast ? 'last-fill' : ''}>
      {odds(rung.price)}
      <Ticks fills={fills} />
    </th>
    <Depth side="lay" levels={rung.toLay} most={most} />
    <td class="ours-for">
      <OwnCell rung={rung} direction="for" atMs={atMs} hand={hand} />
    </td>
    {pays === null ? null : (
      <td class={`closed ${pays < 0 ? 'bad' : 'good'}`} title={PAGE.gain(pays)}>
        {Math.abs(pays) >= 100 ? PAGE.short(pays) : PAGE.gain(pays)}
      </td>
    )}
  </tr>
);

const stakeOf = (levels: readonly Level[]): number => levels.reduce((sum, [, stake]) => sum + stake, 0);

interface DepthProps {
  readonly side: 'back' | 'lay';
  readonly levels: readonly Level[];
  readonly most: number;
}

/** The stake at a price, with a bar. Its title has the exact prices. */
function Depth({ side, levels, most }: DepthProps): JSX.Element {
  if (levels.length === 0) return <td />;
  const stake = stakeOf(levels);
  return (
    <td
      class={side}
      style={{ '--depth': `${Math.round((100 * stake) / most)}%` }}
      title={levels.map(([at, each]) => `${PAGE.whole(each)} at ${exactOdds(at)}`).join(', ')}
    >
      {PAGE.short(stake)}
    </td>
  );
}

interface OwnCellProps extends Pick<RowProps, 'rung' | 'atMs' | 'hand'> {
  readonly direction: Direction;
}

/** Our orders of a side at a price, those of persons apart; by hand also where a quote may be placed. */
function OwnCell({ rung, direction, atMs, hand }: OwnCellProps): JSX.Element {
  const quotes = rung[direction];
  const ofPersons = quotes.filter(({ byHand }) => byHand !== undefined);
  const waiting = rung.waiting.filter((each) => each.direction === direction);
  return (
    <>
      <Own quotes={quotes.filter(({ byHand }) => byHand === undefined)} atMs={atMs} />
      {ofPersons.map((quote) => (
        <HandPill
          key={quote.id}
          id={quote.byHand ?? ''}
          text={PAGE.short(quote.unfilled)}
          title={ownInWords(quote, atMs)}
          tick={rung.tick}
          isWaiting={!quote.isConfirmed}
          hand={hand}
        />
      ))}
      {waiting.map((each) => (
        <HandPill
          key={each.id}
          id={each.id}
          text={PAGE.short(each.stake - each.filled)}
          title="it waits to be placed"
          tick={rung.tick}
          isWaiting
          hand={hand}
        />
      ))}
      {hand === null || quotes.length + waiting.length > 0 ? null : (
        <PlaceHere direction={direction} tick={rung.tick} hand={hand} />
      )}
    </>
  );
}

interface OwnProps {
  readonly quotes: readonly LiveQuote[];
  readonly atMs: number;
}

/** Our orders at one price: unfilled stake, the stake ahead, and the age. A press explains them. */
function Own({ quotes, atMs }: OwnProps): JSX.Element | null {
  const [first] = quotes;
  if (first === undefined) return null;
  const unfilled = quotes.reduce((sum, quote) => sum + quote.unfilled, 0);
  const isConfirmed = quotes.every((quote) => quote.isConfirmed);
  return (
    <button
      type="button"
      class={`own ${isConfirmed ? '' : 'unconfirmed'}`}
      title={quotes.map((quote) => ownInWords(quote, atMs)).join('\n')}
    >
      {PAGE.short(unfilled)}
      <small>
        {' '}
        {first.ahead === null ? '?' : PAGE.short(first.ahead)}
        <span class="age"> {shortAge(atMs - first.sinceMs)}</span>
      </small>
    </button>
  );
}

/** The last fill at a price. The title has those before it, too, each with what it was worth ten seconds later. */
function Ticks({ fills }: { readonly fills: readonly LiveFill[] }): JSX.Element | null {
  const [last] = fills;
  if (last === undefined) return null;
  const { markout10, direction } = last;
  return (
    <span
      class={`ticks ${markout10 === null ? '' : markout10 >= 0 ? 'good' : 'bad'}`}
      title={fills.map(fillInWords).join('\n')}
    >
      {direction === 'for' ? '▸' : '◂'}
    </span>
  );
}

const fillInWords = ({ direction, stake, markout10 }: LiveFill): string =>
  `filled ${PAGE.money(stake)} ${direction}${markout10 === null ? '' : `, ${PAGE.percentGain(markout10, 1)} after ten seconds`}`;

interface MarkProps {
  readonly kind: 'fair' | 'middle';
  readonly price: number | null;
  readonly span: Span;
}

/** A line at a price, exact between rows. */
export function Mark({ kind, price, span }: MarkProps): JSX.Element | null {
  const down = price === null ? null : rowsDown(price, span);
  if (down === null) return null;
  return <div class={`mark ${kind}`} aria-hidden="true" style={{ '--down': String(down) }} />;
}
