import type { JSX } from 'preact';
import type { LiveMoney, LiveQuoting } from '../../read-model/live/message.ts';
import { profitRangeInWords } from '../../read-model/fill-range.ts';
import { toneOf } from '../components/figure.tsx';
import { gain, usdt } from './numbers.ts';
import type { Shown } from './stream/view.ts';
import { lengthInWords } from './words.ts';

/** The four numbers of the night. */
export function FourNumbers({ money, quoting, atMs }: Shown): JSX.Element {
  return (
    <dl class="numbers">
      <Profit {...money} />
      <WorstCase {...money} />
      <OneNumber name="Orders open" value={String(quoting.ordersOpen)} tone={0}>
        {usdt(quoting.openStake)} stake; {unknownInWords(quoting, atMs)}
      </OneNumber>
      <Balance {...money} />
    </dl>
  );
}

function Profit({ today, run, paperFills }: LiveMoney): JSX.Element {
  const { settled, expected, closeNow } = today ?? run;
  return (
    <OneNumber
      name={today === null ? 'Profit of the run' : 'Profit today'}
      value={gain(settled)}
      tone={settled}
    >
      settled; {gain(expected)} expected,{' '}
      {closeNow === null ? 'close now not known' : `${gain(closeNow)} if closed now`}
      {paperFills === undefined ? '' : `; ${profitRangeInWords(paperFills)} over all fill models`}
    </OneNumber>
  );
}

function WorstCase({ limits }: LiveMoney): JSX.Element {
  const limit = limits.find(({ name }) => name === 'worstCase.accountUsdt');
  const worst = 0 - (limit?.use ?? 0);
  return (
    <OneNumber name="Worst case" value={usdt(worst)} tone={worst}>
      {limit === undefined ? 'no limit is set' : `of ${usdt(limit.limit)} allowed`}
    </OneNumber>
  );
}

function Balance({ account, reconciliation }: LiveMoney): JSX.Element {
  const { balance } = account;
  const residual = reconciliation?.residual ?? 0;
  const checked = residual === 0 ? 'reconciled' : `${gain(residual)} not explained`;
  return (
    <OneNumber name="Balance" value={balance === null ? '–' : usdt(balance)} tone={0}>
      {reconciliation === null ? 'not reconciled yet' : checked}
    </OneNumber>
  );
}

const unknownInWords = ({ unknownSinceMs }: LiveQuoting, atMs: number): string =>
  unknownSinceMs === null ? 'none unknown' : `one unknown for ${lengthInWords(atMs - unknownSinceMs)}`;

interface NumberProps {
  readonly name: string;
  readonly value: string;
  /** The sign decides the colour. */
  readonly tone: number;
  readonly children: string | readonly string[];
}

const OneNumber = ({ name, value, tone, children }: NumberProps): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <b class={toneOf(tone)} data-number={name}>
        {value}
      </b>
      <span class="quiet">{children}</span>
    </dd>
  </div>
);
