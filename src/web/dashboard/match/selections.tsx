import type { JSX } from 'preact';
import type { LiveSelection, LiveSelections } from '../../../read-model/live/message.ts';
import { gain } from '../numbers.ts';
import { reasonInWords } from '../../../read-model/reason-words.ts';

interface SelectionsProps {
  readonly selections: LiveSelections | null;
  /** Whose ladders are shown. */
  readonly shown: readonly string[];
  readonly onChoose: (id: string) => void;
}

/** Every selection with what it wins and loses, and whether it is quoted on both sides. A press shows its ladder. */
export function Selections({ selections, shown, onChoose }: SelectionsProps): JSX.Element {
  return (
    <section class="selections" aria-label="Selections by risk">
      <h2>Selections by risk</h2>
      {selections === null ? <p class="quiet">Loading …</p> : null}
      <ul>
        {(selections ?? []).map((selection) => (
          <li key={selection.id}>
            <button
              type="button"
              aria-pressed={shown.includes(selection.id)}
              onClick={() => onChoose(selection.id)}
            >
              <Light selection={selection} />
              <b>{selection.name}</b>
              <span>
                wins <span class={toneOf(selection.ifWin)}>{gain(selection.ifWin)}</span>, loses{' '}
                <span class={toneOf(selection.ifLose)}>{gain(selection.ifLose)}</span>
              </span>
              {selection.missing === null ? null : (
                <span class="quiet">{reasonInWords(selection.missing)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const toneOf = (amount: number): string => (amount > 0 ? 'good' : amount < 0 ? 'bad' : '');

const LIGHTS = [
  { mark: '○', meaning: 'not quoted', tone: 'bad' },
  { mark: '◐', meaning: 'quoted on one side', tone: 'warn' },
  { mark: '●', meaning: 'quoted on both sides', tone: 'good' },
] as const;

/** The two-sided light. Its form tells as much as its colour. */
function Light({ selection: { quotes } }: { readonly selection: LiveSelection }): JSX.Element {
  const sides = new Set(quotes.filter(({ isConfirmed }) => isConfirmed).map(({ direction }) => direction))
    .size;
  const { mark, meaning, tone } = LIGHTS[sides] ?? LIGHTS[0];
  return (
    <span class={`light tone-${tone}`} role="img" aria-label={meaning} title={meaning}>
      {mark}
    </span>
  );
}
