-- Requests of a load test: words of the corpus, alone and two at a time, in an order that repeats.
-- Set QUERIES to a file with a word a line, MORE to further parameters.

local words = {}
for line in io.lines(os.getenv("QUERIES")) do words[#words + 1] = line end

local further = os.getenv("MORE") or ""
local threads = 0
function setup(thread)
  thread:set("seed", threads)
  threads = threads + 1
end

function init()
  math.randomseed(seed + 1)
end

local function word() return words[math.random(#words)] end

function request()
  local text = word()
  if math.random(10) <= 3 then text = text .. "+" .. word() end
  return wrk.format("GET", "/v1/search?limit=10&q=" .. text .. further)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "%d requests, %.0f a second; %d failed (connect %d, read %d, write %d, timeout %d, status %d); p50 %.2f ms, p99 %.2f ms\n",
    summary.requests, summary.requests / summary.duration * 1e6,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status, errors.connect, errors.read,
    errors.write, errors.timeout, errors.status, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
