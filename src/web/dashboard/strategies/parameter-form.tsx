import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ParameterChange, StrategyParameters } from '../../../read-model/live/parameters.ts';
import { type Answer, post } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { useSaid } from '../use-said.ts';
import { type Edits, parametersOf, textOf } from './edits.ts';

interface ParameterFormProps {
  readonly strategy: StrategyParameters;
  readonly session: Session;
  readonly atMs: number;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** The parameters of a strategy. A change is shown as a difference before it is made. */
export function ParameterForm(props: ParameterFormProps): JSX.Element {
  const { strategy, session, atMs, mayChange, onChanged } = props;
  const [edits, setEdits] = useState<Edits>({});
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<Answer | null>(null);
  const notice = useSaid(atMs, strategy.name);
  const wish = { strategy: strategy.name, parameters: parametersOf(strategy, edits) };
  const isEdited = Object.keys(wish.parameters).length > 0;
  const edit = (name: string, text: string | null): void => {
    setEdits({ ...edits, [name]: text });
    setPreview(null);
    notice.answer('');
  };
  const look = async (): Promise<void> => setPreview(await post(session, '/parameters/preview', wish));
  const apply = async (): Promise<void> => {
    const answer = await post(session, '/parameters', { ...wish, reason, by: 'dashboard' });
    notice.answer(answer.done ? 'changed' : `not changed: ${answer.why}`);
    if (!answer.done) return;
    setEdits({});
    setPreview(null);
    onChanged();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void (preview?.done === true ? apply() : look());
      }}
    >
      <Rows strategy={strategy} edits={edits} mayChange={mayChange} onEdit={edit} />
      {preview === null ? null : <Difference answer={preview} />}
      {mayChange ? (
        <div class="bar">
          {preview?.done === true ? (
            <label>
              Why
              <input
                value={reason}
                required
                maxLength={500}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </label>
          ) : null}
          <button type="submit" disabled={!isEdited}>
            {preview?.done === true ? 'CHANGE' : 'Show the difference'}
          </button>
          <span role="status">{notice.text}</span>
        </div>
      ) : null}
    </form>
  );
}

function Difference({ answer }: { readonly answer: Answer }): JSX.Element {
  if (!answer.done)
    return (
      <p class="warnings" role="alert">
        {answer.why}
      </p>
    );
  const { changes } = answer.body as { readonly changes: readonly ParameterChange[] };
  return (
    <ul class="difference">
      {changes.length === 0 ? <li>Nothing would change.</li> : null}
      {changes.map(({ key, from, to }) => (
        <li>
          {key}: <del>{from === null ? 'not set' : textOf(from)}</del> →{' '}
          <ins>{to === null ? 'not set' : textOf(to)}</ins>
        </li>
      ))}
    </ul>
  );
}

interface RowsProps {
  readonly strategy: StrategyParameters;
  readonly edits: Edits;
  readonly mayChange: boolean;
  readonly onEdit: (name: string, text: string | null) => void;
}

function Rows({ strategy, edits, mayChange, onEdit }: RowsProps): JSX.Element {
  return (
    <div class="scroll" role="region" aria-label={`Parameters of ${strategy.name}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">parameter</th>
            <th scope="col">value</th>
            <th scope="col">meaning</th>
          </tr>
        </thead>
        <tbody>
          {strategy.parameters.map((parameter) => (
            <tr key={parameter.name}>
              <th scope="row">
                {parameter.name}
                {parameter.isOverridden ? <span class="changed"> changed</span> : ''}
              </th>
              <td>
                <Value
                  parameter={parameter}
                  edit={edits[parameter.name]}
                  mayChange={mayChange}
                  onEdit={onEdit}
                />
              </td>
              <td class="meaning">
                {parameter.description ?? ''}
                {rangeOf(parameter)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Parameter = StrategyParameters['parameters'][number];

function rangeOf({ minimum, maximum }: Parameter): string {
  if (minimum === undefined || maximum === undefined) return '';
  return ` (${minimum} to ${maximum})`;
}

interface ValueProps {
  readonly parameter: Parameter;
  readonly edit: string | null | undefined;
  readonly mayChange: boolean;
  readonly onEdit: (name: string, text: string | null) => void;
}

function Value({ parameter, edit, mayChange, onEdit }: ValueProps): JSX.Element {
  const { name, value, choices, isOverridden } = parameter;
  if (!mayChange) return <>{textOf(value)}</>;
  if (edit === null) return <em>as configured</em>;
  const text = edit ?? textOf(value);
  return (
    <span class="bar">
      {choices === undefined ? (
        <input
          aria-label={name}
          value={text}
          size={10}
          onInput={(event) => onEdit(name, event.currentTarget.value)}
        />
      ) : (
        <select aria-label={name} value={text} onChange={(event) => onEdit(name, event.currentTarget.value)}>
          {choices.map((choice) => (
            <option value={choice}>{choice}</option>
          ))}
        </select>
      )}
      {isOverridden ? (
        <button type="button" onClick={() => onEdit(name, null)}>
          drop the change
        </button>
      ) : null}
    </span>
  );
}
