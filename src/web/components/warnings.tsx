import type { JSX } from 'preact';

/** Sentences that a reader must not miss. Nothing without any. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">{warnings.length === 1 ? 'Warning' : `${warnings.length} warnings`}</h2>
      <ul>
        {warnings.map((warning) => (
          <li>{warning}</li>
        ))}
      </ul>
    </section>
  );
}
