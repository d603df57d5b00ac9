import type { JSX } from 'preact';
import type { ScenarioResult } from '../../research/result.ts';

interface ScenarioChoiceProps {
  readonly label: string;
  readonly scenarios: readonly ScenarioResult[];
  readonly at: number;
  readonly onChange: (at: number) => void;
}

export function ScenarioChoice({ label, scenarios, at, onChange }: ScenarioChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={String(at)} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {scenarios.map(({ scenario }, place) => (
          <option value={String(place)}>{scenario}</option>
        ))}
      </select>
    </label>
  );
}
