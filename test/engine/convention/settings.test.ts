import { expect, it } from 'vitest';
import { configuredConvention, secondSideOf } from '../../../src/engine/convention/settings.ts';

it.each([
  ['against', { against: false, lay: true }, 'against'],
  ['lay', null, 'lay'],
  ['auto', null, 'against'],
  ['auto', { against: true, lay: false }, 'against'],
  ['auto', { against: false, lay: false }, 'against'],
  ['auto', { against: false, lay: true }, 'lay'],
  ['auto', { against: true, lay: true }, 'finer'],
] as const)('the second side %s goes out, with %j found visible, as %s', (setting, visible, side) => {
  expect(secondSideOf(setting, visible)).toBe(side);
});

it('only auto leaves the convention open', () => {
  expect((['auto', 'odds', 'lay'] as const).map(configuredConvention)).toEqual([null, 'odds', 'lay']);
});
