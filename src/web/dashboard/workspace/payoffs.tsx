import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { odds, PAGE } from '../../../lib/formats.ts';
import { onExchange } from '../../../read-model/bet-terms.ts';
import type { LiveEvent, LivePayoffs } from '../../../read-model/live/message.ts';
import { ask, type Answer } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';
import type { Shown } from '../stream/view.ts';
import { absentInWords } from '../words.ts';

interface PayoffsProps {
  readonly event: LiveEvent;
  readonly payoffs: LivePayoffs | null;
  readonly shown: Shown;
  readonly session: Session;
}

/** Scores that are shown beyond the present one. */
const BEYOND = 5;
const MOST = 8;

/** What the matched bets of the event pay in each final score: a heat map with its numbers. A press lists the bets behind a cell; arrow keys move between cells. */
export function Payoffs({ event, payoffs, shown, session }: PayoffsProps): JSX.Element {
  const [cell, setCell] = useState<readonly [number, number] | null>(null);
  const table = useRef<HTMLTableElement>(null);
  if (payoffs === null)
    return (
      <section class="payoffs panel" aria-label="Payoffs by final score">
        <h2>Payoffs by final score</h2>
        <p class="quiet">{absentInWords(shown, event.key, 'No matched bet here depends on the score.')}</p>
      </section>
    );
  const { now, first, rows } = viewOf(payoffs, event.score ?? [0, 0]);
  const reached = cell ?? now;
  const most = Math.max(1, ...rows.flat().map((amount) => Math.abs(amount ?? 0)));
  const from = [reached[0] - first[0], reached[1] - first[1]] as const;
  return (
    <section class="payoffs panel" aria-label="Payoffs by final score">
      <h2>Payoffs by final score</h2>
      <table ref={table} onKeyDown={(press) => step(press, from, rows.length, table.current)}>
        <caption>
          home goals down, away goals across
          {payoffs.besides === 0 ? '' : `; other bets at worst ${PAGE.money(payoffs.besides)}`}
        </caption>
        <thead>
          <tr>
            <td />
            {rows.map((_, at) => (
              <th scope="col">{first[1] + at}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, atRow) => (
            <tr>
              <th scope="row">{first[0] + atRow}</th>
              {row.map((amount, atColumn) => {
                const score = [first[0] + atRow, first[1] + atColumn] as const;
                return (
                  <td class={isSame(score, now) ? 'now' : ''}>
                    <Cell
                      score={score}
                      amount={amount}
                      most={most}
                      isChosen={cell !== null && isSame(score, cell)}
                      isReached={isSame(score, reached)}
                      onChoose={() => setCell(score)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {cell === null ? null : <Bets key={cell.join(':')} event={event} cell={cell} session={session} />}
    </section>
  );
}

type Goals = readonly [home: number, away: number];

const isSame = (one: Goals, other: Goals): boolean => one[0] === other[0] && one[1] === other[1];

/** The part of the grid around a score, and the score of its first cell. */
function viewOf({ cells }: LivePayoffs, now: Goals) {
  const size = Math.min(MOST, Math.max(...now) + BEYOND, cells.length);
  const firstOf = (goals: number): number =>
    Math.min(Math.max(0, goals + BEYOND - size), cells.length - size);
  const first: Goals = [firstOf(now[0]), firstOf(now[1])];
  const rows = cells.slice(first[0], first[0] + size).map((row) => row.slice(first[1], first[1] + size));
  return { now, first, rows };
}

interface CellProps {
  readonly score: Goals;
  /** Null for a score that can no longer be. */
  readonly amount: number | null;
  /** The largest amount of the grid. */
  readonly most: number;
  readonly isChosen: boolean;
  /** Whether the key Tab stops here. */
  readonly isReached: boolean;
  readonly onChoose: () => void;
}

function Cell({ score, amount, most, isChosen, isReached, onChoose }: CellProps): JSX.Element {
  const pays = amount === null ? 'can no longer be' : `pays ${PAGE.whole(amount)}`;
  const tone = amount === null ? 'quiet' : amount > 0 ? 'gain' : amount < 0 ? 'loss' : '';
  return (
    <button
      type="button"
      aria-label={`${score.join(':')} ${pays}`}
      aria-pressed={isChosen}
      aria-disabled={amount === null}
      tabIndex={isReached ? 0 : -1}
      class={tone}
      style={{ '--heat': `${Math.round((100 * Math.abs(amount ?? 0)) / most)}%` }}
      onClick={() => (amount === null ? undefined : onChoose())}
    >
      {amount === null ? PAGE.nothing : PAGE.whole(amount)}
    </button>
  );
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Moves to a cell beside by an arrow key: the grid is one stop of the key Tab, and not one for each cell. */
function step(
  event: KeyboardEvent,
  from: readonly [number, number],
  size: number,
  table: HTMLTableElement | null,
): void {
  const by = STEPS[event.key];
  if (by === undefined || table === null) return;
  event.preventDefault();
  const buttons = [...table.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const [row, column] = at < 0 ? from : [Math.floor(at / size), at % size];
  const within = (value: number): number => Math.min(size - 1, Math.max(0, value));
  buttons[within(row + by[0]) * size + within(column + by[1])]?.focus();
}

interface BetRow {
  readonly name: string;
  readonly direction: string;
  readonly price: number;
  readonly stakeUsdt: number;
  readonly exchange?: ExchangeTerms;
  readonly paysUsdt: number;
}

interface BetsProps {
  readonly event: LiveEvent;
  readonly cell: readonly [number, number];
  readonly session: Session;
}

/** The bets behind a cell, those that pay most first. */
function Bets({ event, cell: [home, away], session }: BetsProps): JSX.Element {
  const [answer, setAnswer] = useState<Answer | null>(null);
  if (answer === null)
    void ask(
      session,
      `/payoff?${new URLSearchParams({ event: event.key, home: String(home), away: String(away) })}`,
    ).then(setAnswer);
  if (answer === null) return <p class="explanation">Asking …</p>;
  if (!answer.done) return <p class="explanation">{answer.why}</p>;
  const bets = answer.body as readonly BetRow[];
  return (
    <div class="explanation">
      <h3>
        Bets at {home}:{away}
      </h3>
      <ul>
        {bets.map((bet) => (
          <li>
            {PAGE.money(bet.stakeUsdt)} {bet.direction} {bet.name} at {odds(bet.price)}
            {onExchange(bet.exchange, PAGE)} pays {PAGE.gain(bet.paysUsdt)}
          </li>
        ))}
      </ul>
    </div>
  );
}
