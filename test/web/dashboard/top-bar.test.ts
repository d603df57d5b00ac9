import { expect, it } from 'vitest';
import { aProfit } from '../../support/status.ts';
import { SCENES } from '../../support/dashboard-scenes.ts';
import { componentsIn, pressedPage, type Shown } from '../../support/pressed-page.ts';

const { TopBar } = await componentsIn('top-bar.tsx');

/** The figures of the profit as the bar shows them: the sign decides the colour. */
function profitShown(notClosable: readonly string[], closeNow: number) {
  const { pieces } = SCENES.busy;
  const money = {
    ...(pieces['money'] as object),
    today: null,
    run: { ...aProfit().run, closeNow, notClosable },
  };
  const shown = {
    view: { pieces: new Map(Object.entries(pieces)) },
    run: pieces['run'],
    quoting: pieces['quoting'],
    money,
    atMs: 0,
  };
  const session = { token: 't', scope: 'control' };
  const bar = pressedPage(TopBar, { shown, session, onClosed: () => undefined });
  const [profit] = bar.named('Profit') as [Shown];
  return pressedPage(profit.type, profit.props)
    .named('Figure')
    .map(({ props }) => [props['name'], props['sign']]);
}

it.each([
  [[], 5, ['close now', 5]],
  [[], -5, ['close now', -5]],
  [['A'], 5, ['close now without 1 event', 0]],
  [['A', 'B'], -5, ['close now without 2 events', 0]],
] as const)(
  'without %j, closing now for %d is neither a gain nor a loss of the account',
  (events, closeNow, figure) => {
    expect(profitShown(events, closeNow)).toContainEqual(figure);
  },
);
