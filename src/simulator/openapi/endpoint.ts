import type { z } from 'zod';

/** An endpoint as the document describes it. The schemas are those that validate its requests. */
export interface DescribedEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** HTTP status of success. */
  readonly status: number;
  readonly marketData: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
}
