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
    'a:\n  list:\n    - 1\n    -\n      b: "x y"\n  none: []\n"yes": "no"\n"/v2/": null\n',
  );
});
