import { useEffect, useState } from 'react';
import { where } from './api.ts';
import { Account } from './screens/account.tsx';
import { Accounts } from './screens/accounts.tsx';
import { Articles } from './screens/articles.tsx';
import { Calls } from './screens/calls.tsx';
import { Keywords } from './screens/keywords.tsx';
import { type FinalCalls, useFinalCalls } from './use-final-calls.ts';

const tabs = ['articles', 'keywords', 'accounts', 'calls'] as const;

const readHash = () => location.hash.replace(/^#\/?/, '');

/** The hash names the screen: `#/articles`, `#/accounts/ID`. */
function useHash(): readonly string[] {
  const [hash, setHash] = useState(readHash);
  useEffect(() => {
    const follow = () => setHash(readHash());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return hash.split('/').map(decodeURIComponent);
}

interface ScreenProps {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly finalCalls: FinalCalls;
}

function Screen({ name, id, finalCalls }: ScreenProps) {
  if (name === 'keywords') return <Keywords />;
  if (name === 'accounts') return id ? <Account key={id} accountId={id} /> : <Accounts />;
  if (name === 'calls') return <Calls {...finalCalls} />;
  return <Articles />;
}

export function App() {
  const [name, id] = useHash();
  const finalCalls = useFinalCalls();
  const current = tabs.find((tab) => tab === name) ?? 'articles';
  return (
    <>
      <header>
        <strong>Content desk</strong>
        <nav aria-label="Screens">
          {tabs.map((tab) => (
            <a key={tab} href={`#/${tab}`} aria-current={tab === current ? 'page' : undefined}>
              {tab}
            </a>
          ))}
        </nav>
        <span className="quiet">{where}</span>
      </header>
      <main>
        <Screen name={name} id={id} finalCalls={finalCalls} />
      </main>
    </>
  );
}
