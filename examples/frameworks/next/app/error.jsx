'use client';

export default function Problem() {
  return <p role="alert">The sites cannot be shown.</p>;
}
