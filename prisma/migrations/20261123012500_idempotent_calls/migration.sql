-- Calls that carried an Idempotency-Key: who makes one now, and the sealed answer for whoever repeats it.
CREATE TABLE "IdempotentCall" (
  "userId" UUID NOT NULL,
  "route" VARCHAR(200) NOT NULL,
  "keyHash" BYTEA NOT NULL,
  "token" UUID NOT NULL,
  "requestSealed" TEXT NOT NULL,
  "answerSealed" TEXT,
  "claimedUntil" TIMESTAMPTZ(3) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "IdempotentCall_pkey" PRIMARY KEY ("userId", "route", "keyHash"),
  CONSTRAINT "IdempotentCall_sizes" CHECK (
    octet_length("keyHash") = 32 AND length("requestSealed") <= 200 AND length("answerSealed") <= 262144)
);
ALTER TABLE "IdempotentCall" ADD CONSTRAINT "IdempotentCall_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "IdempotentCall_expiresAt_idx" ON "IdempotentCall"("expiresAt");
