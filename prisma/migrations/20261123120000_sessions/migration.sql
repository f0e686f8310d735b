-- Sessions of people and screens, the one-time codes that begin them, and what a user tells about itself.
ALTER TABLE "User"
  ADD COLUMN "passwordHash" VARCHAR(300),
  ADD COLUMN "timezone" VARCHAR(64),
  ADD COLUMN "locale" VARCHAR(35);

CREATE TYPE "SessionKind" AS ENUM ('person', 'screen');
CREATE TYPE "SessionRole" AS ENUM ('viewer', 'manager', 'integrator', 'owner');
CREATE TYPE "SignInMethod" AS ENUM ('password', 'key', 'code');

CREATE TABLE "Session" (
  "id" UUID NOT NULL DEFAULT uuid_v7(),
  "userId" UUID NOT NULL,
  "apiKeyId" UUID,
  "tokenHash" BYTEA NOT NULL,
  "kind" "SessionKind" NOT NULL,
  "role" "SessionRole",
  "scopes" TEXT[] NOT NULL,
  "method" "SignInMethod" NOT NULL,
  "label" VARCHAR(100),
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
  "lastAddress" VARCHAR(45),
  "lastUserAgent" VARCHAR(200),
  "expiresAt" TIMESTAMPTZ(3),
  "revokedAt" TIMESTAMPTZ(3),
  CONSTRAINT "Session_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "Session_tokenHash_size" CHECK (octet_length("tokenHash") = 32)
);
CREATE UNIQUE INDEX "Session_tokenHash_key" ON "Session"("tokenHash");
CREATE INDEX "Session_userId_createdAt_id_idx" ON "Session"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Session_apiKeyId_idx" ON "Session"("apiKeyId");
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");
CREATE INDEX "Session_revokedAt_idx" ON "Session"("revokedAt");
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Session" ADD CONSTRAINT "Session_apiKeyId_fkey"
  FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "LoginCode" (
  "id" UUID NOT NULL DEFAULT uuid_v7(),
  "userId" UUID NOT NULL,
  "apiKeyId" UUID,
  "sessionId" UUID,
  "codeHash" BYTEA NOT NULL,
  "kind" "SessionKind" NOT NULL,
  "role" "SessionRole",
  "scopes" TEXT[] NOT NULL,
  "label" VARCHAR(100),
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "LoginCode_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "LoginCode_codeHash_size" CHECK (octet_length("codeHash") = 32)
);
CREATE UNIQUE INDEX "LoginCode_codeHash_key" ON "LoginCode"("codeHash");
CREATE INDEX "LoginCode_userId_idx" ON "LoginCode"("userId");
CREATE INDEX "LoginCode_apiKeyId_idx" ON "LoginCode"("apiKeyId");
CREATE INDEX "LoginCode_sessionId_idx" ON "LoginCode"("sessionId");
CREATE INDEX "LoginCode_expiresAt_idx" ON "LoginCode"("expiresAt");
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_apiKeyId_fkey"
  FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_sessionId_fkey"
  FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Codes that the APIs have printed while there is no user: whoever has one may create the first administrator.
CREATE TABLE "SetupCode" (
  "codeHash" BYTEA NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "SetupCode_pkey" PRIMARY KEY ("codeHash"),
  CONSTRAINT "SetupCode_codeHash_size" CHECK (octet_length("codeHash") = 32)
);
