// cusparse.cpp
