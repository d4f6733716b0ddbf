--[[
  Gives one request back to the month it was taken from.

  KEYS[1]  hash of the credential, as in consume.lua
  ARGV[1]  month that the request was counted in

  Output   requests that are left counted in that month; -1 where Redis counts another month by now
]]
local stored = redis.call('HMGET', KEYS[1], 'month', 'used')
if tonumber(stored[1]) ~= tonumber(ARGV[1]) then
  return -1
end
if tonumber(stored[2]) < 1 then
  return 0
end
return redis.call('HINCRBY', KEYS[1], 'used', -1)
