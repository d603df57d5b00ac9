import { readFileSync } from 'node:fs';

/** The strategy of docs/strategies/price-sources.md. */
export function strategyOfPriceSources(): string {
  const page = new URL('../../docs/strategies/price-sources.md', import.meta.url);
  const blocks = readFileSync(page, 'utf8').matchAll(/```js\n([\s\S]*?)```/g);
  const [block = ''] = Array.from(blocks, ([, text = '']) => text).filter((text) =>
    text.includes("name: 'follows-a-source'"),
  );
  return block;
}
