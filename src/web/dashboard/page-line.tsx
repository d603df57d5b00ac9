import type { JSX } from 'preact';
import { age, PAGE } from '../../lib/formats.ts';
import type { LiveMoney } from '../../read-model/live/message.ts';
import { type Theme, ThemeChoice } from '../components/theme.tsx';
import { PAGES, type Screen } from './desk.ts';
import type { Shown } from './stream/view.ts';
import { problemsOf } from './words.ts';

interface PageLineProps {
  readonly shown: Shown;
  readonly screen: Screen;
  readonly theme: { readonly theme: Theme; readonly setTheme: (theme: Theme) => void };
}

/** The way to the other screens, the balance, and what is wrong. It scrolls with the page. */
export function PageLine({ shown, screen, theme }: PageLineProps): JSX.Element {
  const { unknownSinceMs } = shown.quoting;
  const problems = problemsOf(shown);
  return (
    <div class="page-line">
      <nav aria-label="Screens">
        {PAGES.map(({ kind, address, name }) => (
          <a href={address} aria-current={kind === screen.kind ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <Balance {...shown.money} />
      <span class="quiet">
        {unknownSinceMs === null
          ? 'no order unknown'
          : `an order is unknown for ${age(shown.atMs - unknownSinceMs)}`}
      </span>
      <span class="problems" role="status" aria-label="What is wrong">
        {problems.join(' · ')}
      </span>
      <ThemeChoice theme={theme.theme} onChange={theme.setTheme} />
    </div>
  );
}

function Balance({ account, reconciliation }: LiveMoney): JSX.Element {
  const { balance } = account;
  const residual = reconciliation?.residual ?? 0;
  const checked = residual === 0 ? 'reconciled' : `${PAGE.gain(residual)} not explained`;
  return (
    <span class="quiet">
      balance <b data-number="Balance">{PAGE.money(balance)}</b>{' '}
      {reconciliation === null ? 'not reconciled yet' : checked}
    </span>
  );
}
