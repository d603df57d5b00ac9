import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../src/simulator/openapi/yaml.ts';

it('writes what a YAML reader reads as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const copy: unknown = JSON.parse(JSON.stringify(value));
      expect(parse(toYaml(copy))).toEqual(copy);
    }),
    { numRuns: 200 },
  );
});

it('reads like YAML', () => {
  expect(toYaml({ a: { list: [1, { b: 'x y' }], none: [] }, yes: 'no', '/v2/': null })).toBe(
    'a:\n  list:\n    - 1\n    -\n      b: "x y"\n  none: []\n"yes": "no"\n/v2/: null\n',
  );
});

const PATH_CHARACTERS = [...'/ab_-.0{}:#, '];

it('writes plain paths bare, and other paths in quotes', () => {
  expect(toYaml({ '/v2/orders/{order_id}/close/': '/' })).toBe('/v2/orders/{order_id}/close/: /\n');
  const pathLike = fc
    .array(fc.constantFrom(...PATH_CHARACTERS), { maxLength: 12 })
    .map((characters) => `/${characters.join('')}`);
  fc.assert(
    fc.property(pathLike, pathLike, (key, value) => {
      expect(parse(toYaml({ [key]: [value, { [value]: key }] }))).toEqual({
        [key]: [value, { [value]: key }],
      });
    }),
  );
});
