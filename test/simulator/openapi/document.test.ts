import { expect, it } from 'vitest';
import { openApiDocument } from '../../../src/simulator/openapi/document.ts';
import { Harness, type Wire } from '../core/harness.ts';

it('requires a body for all requests that take one, except the one whose empty body closes everything', () => {
  const { paths } = openApiDocument(new Harness().exchange.endpoints) as Wire;
  const operations: [string, Wire][] = Object.entries<Wire>(paths).map(([path, { post }]) => [path, post]);
  const taken = operations.filter(([, post]) => post?.requestBody !== undefined);
  expect(taken.map(([path, post]) => [path, post.requestBody.required])).toEqual([
    ['/v2/betslips/', true],
    ['/v2/orders/', true],
    ['/v2/orders/close_many/', true],
    ['/v2/orders/close_all/', false],
    ['/v2/heartbeats/', true],
  ]);
});

it('documents a not-found answer where a request names something', () => {
  const { paths } = openApiDocument(new Harness().exchange.endpoints) as Wire;
  const { get, post } = paths['/v2/orders/'];
  expect(Object.keys(post.responses)).toContain('404');
  expect(Object.keys(get.responses)).not.toContain('404');
});
