// Pages for a user without access: the form for the admin token, and the reason of a rejection.
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
    <main class="login">
      <section class="card" id="login">
        <h2>Enter the admin token</h2>
        <p class="soft">
          The mock was started with <code>--admin-token</code>. Your browser stores the token for this tab only.
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
            Log in
          </button>
        </form>
      </section>
    </main>
  );
}

export function AccessDenied({ message }: { message: string }) {
  return (
    <main class="login">
      <section class="card">
        <h2>Access to the admin API was rejected</h2>
        <p>{message}</p>
      </section>
    </main>
  );
}
