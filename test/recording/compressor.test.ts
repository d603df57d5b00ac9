import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import { Compressor } from '../../src/recording/block.ts';

/** Bytes that no compressor makes shorter, or text that repeats itself. */
const block = fc
  .record({ length: fc.integer({ min: 1, max: 900_000 }), repeats: fc.boolean(), seed: fc.nat() })
  .map(({ length, repeats, seed }) => {
    const random = seededRandom(seed, 'block');
    return Buffer.from(Uint8Array.from({ length }, () => (repeats ? 65 : integerBetween(random, 0, 255))));
  });

describe('a compressor', () => {
  it('makes a frame of each block that stands alone, and the same one of equal bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 4, size: 'max' }), async (blocks) => {
        const [compressor, fresh] = [new Compressor(), new Compressor()];
        const frames: Buffer[] = [];
        for (const raw of blocks) frames.push(await compressor.compress(raw));
        expect(frames.every((frame, at) => zstdDecompressSync(frame).equals(blocks[at] as Buffer))).toBe(
          true,
        );
        const again = await fresh.compress(blocks.at(-1) as Buffer);
        expect(again.equals(frames.at(-1) as Buffer)).toBe(true);
        compressor.close();
        fresh.close();
      }),
      { numRuns: 20 },
    );
  });

  it('refuses work after it was closed, and does not hang', async () => {
    const compressor = new Compressor();
    compressor.close();
    await expect(compressor.compress(Buffer.from('late'))).rejects.toThrow();
  });
});
