import { definePriceSource, pricesInRows, rowOptions, rxjs, z } from '../../src/strategy/sdk.ts';

const { exhaustMap, map } = rxjs;

const schema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('address that answers a GET with JSON'),
  everyS: z.number().min(0.2).max(3600).default(5).describe('time from one request to the next, in seconds'),
  timeoutS: z.number().min(0.1).max(120).default(10).describe('longest wait for an answer, in seconds'),
  headers: z.record(z.string(), z.string()).default({}).describe('headers of each request'),
  ...rowOptions,
});

/**
 * Asks an address again and again. A request that takes longer than `everyS` makes the next one wait. The daemon remembers the
 * answer's ETag, so a server can answer that nothing changed; the prices then count as sent again.
 */
export default definePriceSource<z.output<typeof schema>>({
  name: 'http-json',
  description: 'polls an address that answers with JSON',
  options: schema,
  connect(context) {
    const { options, time } = context;
    return time.timer(0, options.everyS * 1000).pipe(
      exhaustMap(() =>
        context.http(options.url, { headers: options.headers, timeoutMs: options.timeoutS * 1000 }),
      ),
      map((answer) => {
        const prices = pricesInRows(answer, options);
        if (prices === null) throw new Error(`the answer has no list at path "${options.path}"`);
        return prices;
      }),
    );
  },
});
