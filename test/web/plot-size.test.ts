import { describe, expect, it } from 'vitest';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../src/web/components/plot.ts', import.meta.url).href;
const { sizeOf } = (await import(MODULE)) as {
  readonly sizeOf: (box: object, legend: object | null) => object;
};

describe('the picture of a chart', () => {
  const box = { clientWidth: 600, clientHeight: 200 };

  it.each([
    ['one row', 16, 176],
    ['three rows of long names', 48, 152],
  ])('leaves room for a legend of %s', (_, offsetHeight, height) => {
    expect(sizeOf(box, { offsetHeight })).toEqual({ width: 600, height });
  });

  it('leaves room for a row before there is a legend', () => {
    expect(sizeOf(box, null)).toEqual({ width: 600, height: 176 });
  });
});
