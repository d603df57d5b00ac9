import { definePriceSource, pricesInRows, rowOptions, rxjs, z } from '../../src/strategy/sdk.ts';

const { map } = rxjs;

const schema = z.strictObject({
  file: z.string().min(1).describe('file of JSON lines to which another program adds'),
  ...rowOptions,
});

/** Reads the lines that another program adds to a file. Lines that stood there before the start are of unknown age and are skipped. */
export default definePriceSource<z.output<typeof schema>>({
  name: 'file',
  description: 'reads JSON lines that another program adds to a file',
  options: schema,
  connect(context) {
    const { options, log } = context;
    return context.lines(options.file).pipe(
      map((line) => {
        try {
          return pricesInRows(JSON.parse(line), options) ?? [];
        } catch {
          log('a line of the price file is no JSON; it was left out', { file: options.file });
          return [];
        }
      }),
    );
  },
});
