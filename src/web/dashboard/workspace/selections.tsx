import type { JSX } from 'preact';
import { PAGE } from '../../../lib/formats.ts';
import type { LiveSelection, LiveTrading } from '../../../read-model/live/message.ts';
import { toneOf } from '../../components/figure.tsx';
import { notQuotedInWords } from '../words.ts';

interface SelectionsProps {
  readonly selections: readonly LiveSelection[];
  /** The trading state of the event. */
  readonly trading: LiveTrading['state'];
  /** Whose ladders are shown. */
  readonly shown: readonly string[];
  /** What is said where there are none. */
  readonly absent: string;
  readonly onChoose: (id: string) => void;
}

/** Every selection with what it wins and loses, and whether it is quoted on both sides. A press pins its ladder, or takes it away. */
export const Selections = ({
  selections,
  trading,
  shown,
  absent,
  onChoose,
}: SelectionsProps): JSX.Element => (
  <section class="selections panel" aria-label="Selections by risk">
    <h2>Selections by risk</h2>
    <div class="scroll" role="region" aria-label="Selections" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">ladder</th>
            <th scope="col" class="number">
              wins
            </th>
            <th scope="col" class="number">
              loses
            </th>
            <th scope="col">why not quoted</th>
          </tr>
        </thead>
        <tbody>
          {selections.map((selection, at) => (
            <tr key={at}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={shown.includes(selection.id)}
                  onClick={() => onChoose(selection.id)}
                >
                  <Light selection={selection} />
                  <span class="name" title={selection.name}>
                    {selection.name}
                  </span>
                </button>
              </th>
              <td class={`number ${toneOf(selection.ifWin)}`}>{PAGE.gain(selection.ifWin)}</td>
              <td class={`number ${toneOf(selection.ifLose)}`}>{PAGE.gain(selection.ifLose)}</td>
              <td class="quiet" title={notQuotedInWords(selection, trading)}>
                <span class="reason">{notQuotedInWords(selection, trading)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {selections.length === 0 ? <p class="quiet">{absent}</p> : null}
    </div>
  </section>
);

const LIGHTS = [
  { mark: '○', meaning: 'not quoted', tone: 'bad' },
  { mark: '◐', meaning: 'quoted on one side', tone: 'warn' },
  { mark: '●', meaning: 'quoted on both sides', tone: 'good' },
] as const;

/** The two-sided light. Its form tells as much as its colour. */
export function Light({ selection: { quotes } }: { readonly selection: LiveSelection }): JSX.Element {
  const sides = new Set(quotes.filter(({ isConfirmed }) => isConfirmed).map(({ direction }) => direction))
    .size;
  const { mark, meaning, tone } = LIGHTS[sides] ?? LIGHTS[0];
  return (
    <span class={`light tone-${tone}`} role="img" aria-label={meaning} title={meaning}>
      {mark}
    </span>
  );
}
