// Which planted fault is awake; 0 for none.
#pragma once

namespace sluice::testing {

inline int awake_mutant = 0;
inline bool planted(int number) { return awake_mutant == number; }

}  // namespace sluice::testing
