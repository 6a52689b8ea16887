// The two ways to stand before a closed door: a token opens it, or nothing does from here.
import { useEffect, useRef } from 'preact/hooks';

export function Login({ message, logIn }: { message: string; logIn: (token: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token !== '') logIn(token);
  };
  return (
    <main class="door">
      <section class="card" id="login">
        <h2>This mock requires its admin token</h2>
        <p class="soft">
          Whoever started it chose the token (<code>--admin-token</code>). It stays in this tab.
        </p>
        <form onSubmit={submit}>
          <label>
            <span>Admin token</span>
            <input
              ref={field}
              id="token"
              type="password"
              autocomplete="off"
              required
              aria-invalid={message !== ''}
              aria-describedby="problem"
            />
          </label>
          <p id="problem" class="bad" role="alert">
            {message}
          </p>
          <button type="submit" class="primary">
            Open
          </button>
        </form>
      </section>
    </main>
  );
}

export function NoWay({ message }: { message: string }) {
  return (
    <main class="door">
      <section class="card">
        <h2>The admin API is closed from here</h2>
        <p>{message}</p>
      </section>
    </main>
  );
}
