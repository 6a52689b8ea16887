import type { Review } from 'casa-kit/api';
import { useCallback } from 'react';
import { api } from '../api.ts';
import { Loading, Problem } from '../problem.tsx';
import { usePages } from '../use-pages.ts';
import { useResponse } from '../use-response.ts';
import { TextForm } from './text-form.tsx';

interface AccountProps {
  readonly accountId: string;
}

export function Account({ accountId }: AccountProps) {
  return (
    <>
      <h1>Account</h1>
      <TextForm
        label="Post"
        maxLength={5000}
        send={async (text) => {
          const { permalink } = (await api.createPost({ accountId, text })).data;
          return permalink === null ? 'Published.' : `Published: ${permalink}`;
        }}
      />
      <Insights accountId={accountId} />
      <Reviews accountId={accountId} />
    </>
  );
}

function Insights({ accountId }: AccountProps) {
  const [insights] = useResponse(
    useCallback((signal) => api.getInsights({ accountId, range: '28d' }, { signal }), [accountId]),
  );
  return (
    <>
      <h2>28 days</h2>
      {insights.state === 'loading' && <Loading />}
      {insights.state === 'failed' && <Problem error={insights.error} />}
      {insights.state === 'ready' && (
        <dl className="figures">
          {insights.value.data.metrics.map(({ key, label, total }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{total}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Reviews({ accountId }: AccountProps) {
  const read = useCallback(
    async (cursor: string | null, signal: AbortSignal) => {
      const { data } = await api.listReviews({ accountId, ...(cursor !== null && { cursor }) }, { signal });
      return { items: data.reviews, cursor: data.nextCursor ?? null };
    },
    [accountId],
  );
  const { items, isLoading, error, more } = usePages<Review>(read);
  return (
    <>
      <h2>Reviews</h2>
      {error !== null && <Problem error={error} />}
      <ul className="cards">
        {items.map((review) => (
          <ReviewCard key={review.reviewId} accountId={accountId} review={review} />
        ))}
      </ul>
      {isLoading && <Loading />}
      {!isLoading && error === null && items.length === 0 && <p className="quiet">There are no reviews yet.</p>}
      {more && (
        <button type="button" onClick={more}>
          More reviews
        </button>
      )}
    </>
  );
}

function ReviewCard({ accountId, review }: AccountProps & { review: Review }) {
  const { reviewId, author, rating, text, replied, replyText } = review;
  return (
    <li>
      <strong>{author}</strong>
      <span className="badge">{rating === null ? 'no rating' : `${rating} of 5`}</span>
      <p>{text}</p>
      {replied ? (
        <blockquote>{replyText}</blockquote>
      ) : (
        <TextForm
          label={`Reply to ${author}`}
          maxLength={4096}
          send={async (reply) => {
            await api.replyToReview({ accountId, reviewId, text: reply });
            return 'Replied.';
          }}
        />
      )}
    </li>
  );
}
