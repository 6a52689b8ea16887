import { type FormEvent, useState } from 'react';
import { Problem } from '../problem.tsx';

interface TextFormProps {
  readonly label: string;
  readonly maxLength: number;
  /** Resolves with the words for success. */
  readonly send: (text: string) => Promise<string>;
}

/** Sends a text once: the button rests until the response is there, and a text that was rejected stays. */
export function TextForm({ label, maxLength, send }: TextFormProps) {
  const [isSending, setSending] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSending(true);
    setDone(null);
    setError(null);
    try {
      setDone(await send(String(new FormData(form).get('text'))));
      form.reset();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <label>
        {label} <textarea name="text" required maxLength={maxLength} rows={2} />
      </label>
      <button type="submit" disabled={isSending}>
        Send
      </button>
      {done && <p role="status">{done}</p>}
      {error !== null && <Problem error={error} />}
    </form>
  );
}
