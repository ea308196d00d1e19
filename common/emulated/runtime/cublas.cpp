// cublas.cpp
