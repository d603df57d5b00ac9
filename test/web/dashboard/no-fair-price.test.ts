import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LiveMoney, PIECES } from '../../../src/read-model/live/message.ts';
import { afterMessage, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import { SCENE_AT_MS, SCENES } from '../../support/dashboard-scenes.ts';
import { liveEvent } from '../../support/live-event.ts';
import { componentsIn, pressedPage, settled, type Shown } from '../../support/pressed-page.ts';
import { aProfit } from '../../support/status.ts';

const { TopBar } = await componentsIn('top-bar.tsx');
const { EventHead } = await componentsIn('workspace/event-head.tsx');
const { EventTable } = await componentsIn('workspace/event-table.tsx');

const { MoneyCharts } = await componentsIn('workspace/money-charts.tsx');

const SESSION = { token: 't', scope: 'read' };
const profit = { ...aProfit().run, expected: -26.3 };

/** Inside the only component of a name. */
function inside(page: ReturnType<typeof pressedPage>, name: string): ReturnType<typeof pressedPage> {
  const [part] = page.named(name) as [Shown];
  return pressedPage(part.type, part.props);
}

function shownWith(withoutFair: number) {
  const { pieces } = SCENES.busy;
  const money: LiveMoney = { ...(pieces[PIECES.money] as LiveMoney), withoutFair };
  const event = liveEvent('fb|2026-01-01,1,2', { profit, withoutFair });
  const set = { ...SCENES.empty.pieces, [PIECES.money]: money, [PIECES.event(event.key)]: event };
  const view = afterMessage(null, { atMs: SCENE_AT_MS, frameAtMs: null, isFirst: true, set }, 0);
  const shown = view === null ? null : shownAt(view, 0);
  if (shown === null) throw new Error('a scene can be shown');
  return { shown, event };
}

const WHY =
  'no fair price of 2 selections with bets: these count as worth nothing, but no event as less than its worst';

afterEach(() => vi.unstubAllGlobals());

describe('a profit that counts bets without a fair price', () => {
  it.each([
    [2, 'with open ?', `; ${WHY}`],
    [0, 'with open', ''],
  ])('of %d selections is marked in the bar: %s', (withoutFair, name, but) => {
    const bar = pressedPage(TopBar, { shown: shownWith(withoutFair).shown, session: SESSION });
    const figures = inside(bar, 'Profit').named('Figure');
    const figure = figures.find(({ props }) => String(props['name']).startsWith('with open')) as Shown;
    expect(figure.props['name']).toBe(name);
    const [whole] = pressedPage(figure.type, figure.props).nodes() as [Shown];
    expect(whole.props['title']).toBe(`Profit today with the open bets at their fair worth${but}`);
  });

  it.each([
    [2, 'expected (no fair price)', WHY],
    [0, 'expected', ''],
  ])('of %d selections is marked beside the event: %s', (withoutFair, name, title) => {
    const { event } = shownWith(withoutFair);
    const head = pressedPage(EventHead, { event, atMs: 0, session: SESSION, first: null });
    const money = inside(head, 'Money');
    const part = money.nodes().find(({ props }) => props['title'] !== undefined) as Shown;
    expect(part.props['title']).toBe(title);
    expect(money.text()).toContain(`${name}−26.30`);
  });

  it.each([
    [2, '−26.30 ?', WHY],
    [0, '−26.30', ''],
  ])('of %d selections is marked in the table: %s', (withoutFair, text, title) => {
    const desk = { event: null, ladders: [], pins: [], sort: 'worst', find: '', only: 'all' };
    const table = pressedPage(EventTable, { desk, selected: null, shown: shownWith(withoutFair).shown });
    const cells = inside(table, 'Row')
      .nodes()
      .filter(({ props }) => String(props['class']).startsWith('column-profit'));
    expect(cells.map(({ props }) => [props['title'], (props['children'] as unknown[])[1]])).toEqual([
      [title, text],
    ]);
  });

  it.each([
    [2, 'expected (no fair price)'],
    [0, 'expected'],
  ])('of %d selections is marked in the legend of the chart: %s', async (withoutFair, name) => {
    const { shown } = shownWith(withoutFair);
    const readings = [{ atMs: SCENE_AT_MS - 10_000, settled: 1, expected: 2, worst: 0, openStake: 0 }];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(readings)));
    const charts = pressedPage(MoneyCharts, { shown, session: SESSION });
    await settled();
    const [chart] = inside(charts, 'ProfitChart').named('Chart') as [Shown];
    expect((chart.props['lines'] as { name: string }[]).map((line) => line.name)).toEqual(['settled', name]);
  });
});
