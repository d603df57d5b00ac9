import { describe, expect, it } from 'vitest';
import { componentsIn, pressedPage, type Shown } from '../../support/pressed-page.ts';

const { ProfitByDay } = await componentsIn('history/profit-by-day.tsx');
const { PaperFills } = await componentsIn('paper-fills.tsx');

describe('a stake that the exchange counts', () => {
  it('is called so in the profit by day', () => {
    const day = { day: '2026-01-31', bets: 2, stake: 30, settled: 1, commission: 0, profit: 1 };
    const table = pressedPage(ProfitByDay, { days: [day] });
    const titles = table.nodes().filter(({ type }) => type === 'th');
    expect(titles.map(({ props }) => props['children'])).toContain('exchange stake');
  });

  it('is called so in the fills on paper', () => {
    const model = { model: 'queue', fills: 3, stakeMatched: 30, profitLoss: 1 };
    const paperFills = { account: 'queue', models: [model], causes: [] };
    const [table] = pressedPage(PaperFills, { paperFills }).named('Table') as [Shown];
    const columns = table.props['columns'] as readonly { readonly title: string }[];
    expect(columns.map(({ title }) => title)).toEqual(['model', 'fills', 'exchange stake', 'profit']);
  });
});
