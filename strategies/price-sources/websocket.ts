import { definePriceSource, pricesInRows, rowOptions, rxjs, z } from '../../src/strategy/sdk.ts';

const { filter, map } = rxjs;

const schema = z.strictObject({
  url: z.url({ protocol: /^wss?$/ }).describe('address of the WebSocket'),
  hello: z
    .array(z.unknown())
    .default([])
    .describe('messages to send when the connection opens; anything but a text is sent as JSON'),
  silentS: z
    .number()
    .min(1)
    .max(3600)
    .default(60)
    .describe('the connection is opened again after this long without a message, in seconds'),
  ...rowOptions,
});

/** Listens to a WebSocket. Messages without rows, such as heartbeats, are ignored. */
export default definePriceSource<z.output<typeof schema>>({
  name: 'websocket',
  description: 'listens to a WebSocket whose messages are JSON',
  options: schema,
  connect(context) {
    const { options } = context;
    return context.socket(options.url, { hello: options.hello, silentMs: options.silentS * 1000 }).pipe(
      map((message) => pricesInRows(message, options)),
      filter((prices) => prices !== null),
    );
  },
});
